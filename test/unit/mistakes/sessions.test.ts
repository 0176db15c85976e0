import { describe, expect, it } from 'vitest';
import { sessions } from '../../../src/client/sessions.js';

const untyped = sessions as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;

describe('wrong arguments of `sessions`', () => {
  it.each<[method: string, args: unknown[], message: string]>([
    ['list', [{ sorted: true }], 'sessions.list() takes no arguments, but was given 1.'],
    ['remove', [], 'sessions.remove() needs 1 argument, but was given 0.'],
    ['remove', ['game', { force: true }], 'sessions.remove() takes 1 argument, but was given 2.'],
    ['remove', [7], '`name` of sessions.remove() must be a string, but is 7.'],
    ['export', [undefined], '`name` of sessions.export() must be a string, but is undefined.'],
    [
      'export',
      [{ name: 'game' }],
      '`name` of sessions.export() must be a string, but is an object with the keys name.',
    ],
    ['import', [], 'sessions.import() needs 1 argument, but was given 0.'],
    [
      'import',
      [{}, { as: 'copy' }],
      '`name` of sessions.import() must be a string, but is an object with the keys as.',
    ],
    ['import', [{}, 'copy', true], 'sessions.import() takes 2 arguments, but was given 3.'],
  ])('rejects sessions.%s with %j', async (method, args, message) => {
    await expect(untyped[method]?.(...args)).rejects.toMatchObject({ code: 'invalid', message });
  });
});
