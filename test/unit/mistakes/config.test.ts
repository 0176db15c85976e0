import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/worker/serve.js';

const schema = z.object({ apiKey: z.string(), baseURL: z.string().optional() });
const EXPECTS = 'The worker expects apiKey (string), baseURL (string, optional).';
const START = 'The `config` given to connect() does not fit the worker.';

describe('config that the worker does not expect', () => {
  it.each<[string, unknown, string]>([
    ['is missing', undefined, `${START} There is none. ${EXPECTS}`],
    [
      'has a misspelled key',
      { apikey: 'secret' },
      `${START} Missing: apiKey. Unexpected: apikey. ${EXPECTS}`,
    ],
    ['has an extra key', { apiKey: 'a', model: 'b' }, `${START} Unexpected: model. ${EXPECTS}`],
    [
      'has a value of the wrong type',
      { apiKey: 12 },
      `${START} apiKey: Invalid input: expected string, received number. ${EXPECTS}`,
    ],
    [
      'is not an object',
      'secret',
      `${START} config: Invalid input: expected object, received string. ${EXPECTS}`,
    ],
  ])('is rejected when it %s', (_case, config, message) => {
    expect(() => readConfig(schema, config)).toThrow(expect.objectContaining({ code: 'invalid', message }));
  });

  it('is named by a strict schema, too', () => {
    expect(() => readConfig(z.strictObject({ a: z.string() }), { a: '', b: 1 })).toThrow(
      `${START} Unexpected: b. The worker expects a (string).`,
    );
  });

  it('never repeats the values', () => {
    const given = { apikey: 'sk-secret', baseURL: 5 };
    try {
      readConfig(schema, given);
      expect.unreachable();
    } catch (error) {
      expect(JSON.stringify([String(error), error])).not.toContain('sk-secret');
    }
  });

  it('is returned as the schema reads it', () => {
    expect(readConfig(z.object({ retries: z.number().default(3) }), {})).toEqual({ retries: 3 });
    expect(readConfig(z.looseObject({ a: z.string() }), { a: '', b: 1 })).toEqual({ a: '', b: 1 });
  });
});
