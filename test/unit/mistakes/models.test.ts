import { describe, expect, it } from 'vitest';
import { describeModels } from '../../../src/client/page.js';
import { RoleZeroError } from '../../../src/core/error.js';
import { fromAiSdk } from '../../../src/providers/ai-sdk/index.js';
import { failover } from '../../../src/providers/failover/index.js';
import { metered } from '../../../src/providers/metered/index.js';
import { openai, readLimits } from '../../../src/providers/openai/index.js';
import { queued } from '../../../src/providers/queued/index.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { runRole } from '../../../src/testing/index.js';
import { search } from '../../../src/tools/search/index.js';

const MODEL = '`model` must be a model, an object with a chat() method, but is';

/** Returns `code: message` of the error of a call. As in JavaScript, nothing here is type-checked. */
async function errorOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    return error instanceof RoleZeroError ? `${error.code}: ${error.message}` : `unnamed: ${String(error)}`;
  }
  return 'none';
}

const untyped = (value: unknown) => value as never;
const baseURL = 'https://api.openai.com/v1';
const mini = (more: object = {}) => openai(untyped({ baseURL, model: 'gpt-5-mini', ...more }));

describe('the model of a role', () => {
  it.each<[string, unknown, string]>([
    ['a name', 'gpt-5-mini', '"gpt-5-mini". Write model: openai({ baseURL, model: "gpt-5-mini" }).'],
    ['a provider', openai, 'the function openai. Call it: model: openai({ … }).'],
    [
      'options',
      { baseURL: 'x' },
      'an object with the keys baseURL. Make one with openai() or another provider.',
    ],
    ['null', null, 'null. Make one with openai() or another provider.'],
    ['a promise', Promise.resolve(), 'a promise. Await it: model: await ….'],
    [
      'a model of the AI SDK',
      { doStream() {} },
      'an object with the keys doStream. It is a model of the AI SDK: write model: fromAiSdk(model).',
    ],
  ])('rejects %s', (_case, model, fix) => {
    expect(() => new RoleZero({ model: model as never })).toThrow(
      expect.objectContaining({ code: 'invalid', message: `${MODEL} ${fix}` }),
    );
  });

  it('fails the run by name when it is missing', async () => {
    const { events } = await runRole(new RoleZero({ name: 'Zero' }), 'hello');
    const end = events.find((event) => event.type === 'run-end');
    expect(end?.error).toMatchObject({
      code: 'invalid',
      message: 'The role Zero has no model. Give it one: { model: openai({ … }) }.',
    });
  });

  it('is checked on the page as well', () => {
    expect(() => describeModels({ chrome: 'nano' as never })).toThrow(
      '`models.chrome` must be a model, an object with a chat() method, but is "nano". Write models.chrome: openai({ baseURL, model: "nano" }).',
    );
  });
});

describe('the options of a model', () => {
  it.each<[string, () => unknown, string]>([
    [
      'a name in place of options',
      () => openai(untyped('gpt-5-mini')),
      'The options of openai() must be an object, but are "gpt-5-mini".',
    ],
    [
      'no options',
      () => openai(untyped(undefined)),
      'The options of openai() must be an object, but are undefined.',
    ],
    ['no model', () => openai(untyped({ baseURL })), 'model must name a model of the server.'],
    [
      'a base URL without its scheme',
      () => openai({ baseURL: 'localhost:11434/v1', model: 'qwen3:8b', contextWindow: 8_192 }),
      'baseURL must begin with https:// or http://, not localhost://.',
    ],
    [
      'a key that is null, as from localStorage',
      () => mini({ apiKey: null }),
      '`apiKey` must be a string, but is null. Leave it out if the server needs no key.',
    ],
    [
      'a key that is a number',
      () => mini({ apiKey: 12_345 }),
      '`apiKey` must be a string, but is of type number. Leave it out if the server needs no key.',
    ],
  ])('reject %s', async (_case, make, message) => {
    expect(await errorOf(make)).toBe(`invalid: ${message}`);
  });

  it('name a misspelled option and the options that exist', async () => {
    expect(await errorOf(() => mini({ apikey: 'sk-1' }))).toMatch(
      /^invalid: openai\(\) has no option apikey\. Its options are baseURL, model, apiKey, /,
    );
    expect(await errorOf(() => readLimits(untyped({ baseUrl: baseURL, model: 'x' })))).toMatch(
      /^invalid: readLimits\(\) has no option baseUrl\. Its options are baseURL, /,
    );
    expect(await errorOf(() => metered(mini(), untyped({ usd: 1 })))).toBe(
      'invalid: metered() has no option usd. Its options are price, prices, budget.',
    );
  });

  it('name a key function that returns no string', async () => {
    const model = mini({ apiKey: () => null });
    const role = new RoleZero({ name: 'Zero', model });
    const { events } = await runRole(role, 'hello');
    expect(events.find((event) => event.type === 'run-end')?.error).toMatchObject({
      code: 'invalid',
      message: 'The apiKey function must return a string, but returned null.',
    });
  });
});

describe('functions that wrap models', () => {
  it.each<[string, () => unknown, string]>([
    [
      'a list',
      () => failover(untyped([mini(), mini()])),
      'failover() takes models as arguments, but was given a list. Spread it: failover(...models).',
    ],
    [
      'a name as one of several models',
      () => failover(mini(), untyped('gpt-5')),
      '`models[1]` must be a model, an object with a chat() method, but is "gpt-5". Write models[1]: openai({ baseURL, model: "gpt-5" }).',
    ],
    [
      'a name to meter',
      () => metered(untyped('gpt-5'), {}),
      `${MODEL} "gpt-5". Write model: openai({ baseURL, model: "gpt-5" }).`,
    ],
    [
      'nothing to queue',
      () => queued(untyped(undefined)),
      `${MODEL} undefined. Make one with openai() or another provider.`,
    ],
    [
      'no limits to meter with',
      () => metered(mini(), untyped(undefined)),
      'The options of metered() must be an object, but are undefined.',
    ],
    [
      'a name as a model of the AI SDK',
      () => fromAiSdk(untyped('gpt-5')),
      `fromAiSdk takes a language model of specification v2, v3, v4, as the AI SDK's providers make them; this is "gpt-5".`,
    ],
    [
      'an object that is not a model of the AI SDK',
      () => fromAiSdk(untyped(undefined)),
      `fromAiSdk takes a language model of specification v2, v3, v4, as the AI SDK's providers make them; this is undefined.`,
    ],
  ])('reject %s', async (_case, make, message) => {
    expect(await errorOf(make)).toBe(`invalid: ${message}`);
  });
});

describe('the engine of a search', () => {
  it.each<[string, () => unknown, string]>([
    [
      'missing',
      () => search(untyped(undefined)),
      'search needs at least one engine: search({ engine: wikipedia() }).',
    ],
    [
      'a name',
      () => search(untyped({ engine: 'google' })),
      'A search engine must be a function, or an object with a search() method, but is "google". Write search({ engine: wikipedia() }).',
    ],
  ])('is rejected when it is %s', async (_case, make, message) => {
    expect(await errorOf(make)).toBe(`invalid: ${message}`);
  });
});
