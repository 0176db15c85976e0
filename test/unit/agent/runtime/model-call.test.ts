import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../../src/core/error.js';
import { Message, UserRequirement } from '../../../../src/core/message.js';
import type { ChatModel } from '../../../../src/core/model.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../../src/agent/runtime/role-zero-options.js';
import { commands, runRole, scriptedModel } from '../../../../src/testing/index.js';
import type { RunRoleOptions } from '../../../../src/testing/run-role.js';

const ending = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);

/** Breaks off in the middle of its first replies. */
function breaking(times: number, retryable: boolean): ChatModel {
  const script = scriptedModel({ think: [ending] });
  return {
    ...script,
    async *chat(request) {
      if (request.purpose === 'think' && times-- > 0) {
        yield {
          type: 'text-delta',
          text: '[{"command_name": "RoleZero.reply_to_human", "args": {"content": "ha',
        };
        throw new RoleZeroError('model-request', 'The stream broke off.', { retryable });
      }
      yield* script.chat(request);
    },
  };
}

describe('a model call that breaks off (R-206)', () => {
  it('R-206 retries where useful, discards the partial reply, and reports it', async () => {
    const result = await runRole(new RoleZero({ model: breaking(2, true) }), 'go');
    expect([result.outcome.status, result.human.replies]).toEqual(['done', ['done']]);
    expect(result.events.filter(({ type }) => type === 'warning')).toMatchObject([
      { code: 'model-request', detail: { attempt: 1 } },
      { code: 'model-request', detail: { attempt: 2 } },
    ]);
  });

  it.each([
    ['after three attempts', 3, true],
    ['at once when it would not help', 1, false],
  ])('R-206 ends the run %s, and the run can continue later', async (_, times, retryable) => {
    const role = new RoleZero({ model: breaking(times, retryable) });
    const result = await runRole(role, 'go');
    expect(result.events.at(-1)).toMatchObject({ status: 'failed', error: { code: 'model-request' } });
    expect((await role.work({ id: 'again', signal: new AbortController().signal }))?.status).toBe('done');
  });
});

it('R-158 maps every role to system, user or assistant', async () => {
  const model = scriptedModel({ think: [ending] });
  const boss = new Message({ content: 'go', role: 'Boss', causeBy: UserRequirement, sendTo: ['Zero'] });
  const { requests } = await runRole(new RoleZero({ callPlan: 'classic', model }), boss);
  const roles = requests.flatMap(({ messages }) => messages.map(({ role }) => role));
  expect([...new Set(roles)].sort()).toEqual(['assistant', 'system', 'user']);
  for (const { messages } of requests) {
    expect(messages.map(({ role }) => role)).toEqual(
      messages.map((_, at) => (at === 0 ? 'system' : at % 2 === 1 ? 'user' : 'assistant')),
    );
  }
});

it('A-265 sums up the costs of calls', async () => {
  const spent = [
    { promptTokens: 1000, completionTokens: 100, costUsd: 0.013 },
    { promptTokens: 100, completionTokens: 10, costUsd: 0.0013 },
  ];
  const script = scriptedModel(['Response Category: QUICK', 'Hello!']);
  const model: ChatModel = {
    ...script,
    async *chat(request) {
      const used = spent.shift();
      for await (const chunk of script.chat(request)) if (chunk.type !== 'usage') yield chunk;
      if (used !== undefined) yield { type: 'usage', ...used };
    },
  };
  const role = new RoleZero({ callPlan: 'classic', model });
  await runRole(role, 'hi');
  expect(role.agent.state.usage).toEqual({
    calls: 2,
    promptTokens: 1100,
    completionTokens: 110,
    cachedPromptTokens: 0,
    costUsd: expect.closeTo(0.0143, 10) as number,
  });
});

describe('the temperature of a call', () => {
  const temperatures = async (options: RoleZeroOptions, send: RunRoleOptions = {}) => {
    const model = scriptedModel({ think: [commands(['end', {}])], report: ['Done.'] });
    const { requests } = await runRole(new RoleZero({ model, ...options }), 'Write the page /a.html', send);
    return requests.map(({ purpose, temperature }) => [purpose, temperature]);
  };

  it('is left to the model by default', async () => {
    expect(await temperatures({})).toEqual([
      ['think', undefined],
      ['report', undefined],
    ]);
  });

  it('is the value of the role for the purpose of the call', async () => {
    expect(await temperatures({ temperature: { think: 0.1, report: 0.7 } })).toEqual([
      ['think', 0.1],
      ['report', 0.7],
    ]);
  });

  it('is the value of the request, if it has one', async () => {
    expect(await temperatures({ temperature: 0.1 }, { temperature: { think: 0.5 } })).toEqual([
      ['think', 0.5],
      ['report', 0.1],
    ]);
  });

  it('must be from 0 to 2', async () => {
    expect(() => new RoleZero({ temperature: 3 })).toThrow('It has 3.');
    await expect(temperatures({}, { temperature: -1 })).rejects.toMatchObject({ code: 'invalid' });
  });
});
