import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/core/events.js';
import type { ChatChunk, ChatModel } from '../../../../src/core/model.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../../src/agent/runtime/role-zero-options.js';
import { metered } from '../../../../src/providers/metered/index.js';
import { Session } from '../../../../src/session/session.js';
import { memoryStorage } from '../../../../src/storage/index.js';
import { commands } from '../../../../src/testing/index.js';

let number = 0;

/** A model that never ends, and reports what is given. */
function endless(usage: ChatChunk[], more: Partial<ChatModel> = {}): ChatModel & { calls: number } {
  return {
    id: 'endless',
    contextWindow: 100_000,
    calls: 0,
    ...more,
    async *chat() {
      this.calls += 1;
      yield { type: 'text-delta', text: commands(['Plan.reset_task', { task_id: String(this.calls) }]) };
      yield* usage;
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

async function run(model: ChatModel, budget: RoleZeroOptions['budget']) {
  const events: AgentEvent[] = [];
  const session = await Session.open({
    storage: memoryStorage(),
    name: `budget-${++number}`,
    roles: [new RoleZero({ model, maxSteps: 9, ...(budget === undefined ? {} : { budget }) })],
    askUser: null,
    emit: (event) => events.push(event),
  });
  const result = await (await session.send('Work on the page, please')).result;
  return { result, session, events };
}

describe('a budget that nothing measures', () => {
  it('counts estimated tokens where the model reports none', async () => {
    const model = endless([]);
    const { result, session, events } = await run(model, { tokens: 1000 });
    expect(result).toMatchObject({ status: 'exhausted', error: { code: 'budget' } });
    expect(model.calls).toBe(1);
    const { promptTokens, completionTokens } = session.usage();
    expect(promptTokens).toBeGreaterThan(1000);
    expect(completionTokens).toBeGreaterThan(10);
    expect(events.find(({ type }) => type === 'usage')).toMatchObject({ estimated: true, promptTokens });
  });

  it('is an error when it is in dollars, and the cost is not known', async () => {
    const usage: ChatChunk = { type: 'usage', promptTokens: 100, completionTokens: 10 };
    const model = endless([usage]);
    const { result } = await run(model, { usd: 0.0001 });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'invalid' } });
    expect(result.error?.message).toContain('cannot be measured in dollars: endless reports no cost');
    expect(model.calls).toBe(1);
    const again = await run(model, { usd: 0.0001 });
    expect([again.result.status, model.calls]).toEqual(['failed', 1]); // known at the start from now on
  });

  it('counts the price of the model where it reports no cost', async () => {
    const price = { promptPerMillion: 1_000_000, completionPerMillion: 0 };
    const usage: ChatChunk = { type: 'usage', promptTokens: 1, completionTokens: 1 };
    const model = endless([usage], { price });
    const { result, session } = await run(model, { usd: 2 });
    expect([result.status, model.calls, session.usage().costUsd]).toEqual(['exhausted', 2, 2]);
  });

  it('allows free models, which report no cost at all', async () => {
    const model = endless([{ type: 'usage', promptTokens: 1, completionTokens: 1, costUsd: 0 }]);
    const { result } = await run(model, { usd: 1 });
    expect([result.status, result.error, model.calls]).toEqual(['exhausted', null, 9]);
  });

  it('counts estimates in metered(), and names a price that is missing', async () => {
    const request = { purpose: 'think' as const, messages: [], signal: new AbortController().signal };
    const ask = async (model: ChatModel) => {
      for await (const _ of model.chat(request));
    };
    const counted = metered(endless([]), { budget: { tokens: 10 } });
    await ask(counted);
    expect(counted.spent.completionTokens).toBeGreaterThan(10);
    await expect(ask(counted)).rejects.toMatchObject({ code: 'budget' });
    const unpriced = metered(endless([]), { budget: { usd: 1 } });
    await ask(unpriced);
    await expect(ask(unpriced)).rejects.toMatchObject({ code: 'invalid' });
  });
});
