import { expect, it } from 'vitest';
import { chrome, chromeAvailability } from '../../../src/providers/chrome/index.js';
import { collect } from '../../fault-server/collect.js';

it('where there is no LanguageModel, as in Node and in workers, it says what to do', async () => {
  expect(await chromeAvailability()).toBe('absent');
  const { error } = await collect(chrome());
  expect(error).toMatchObject({
    code: 'model-load',
    message: expect.stringContaining('not in workers') as string,
    detail: { availability: null },
  });
});
