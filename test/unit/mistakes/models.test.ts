import { describe, expect, it } from 'vitest';
import { describeModels } from '../../../src/client/page-models.js';
import { openai } from '../../../src/providers/openai/index.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { runRole } from '../../../src/testing/index.js';

const MODEL = '`model` must be a model, an object with a chat() method, but is';

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
