import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RoleZeroError, type ErrorCode } from '../../../src/core/error.js';
import type { ChatModel } from '../../../src/core/model.js';
import { failover } from '../../../src/providers/failover/index.js';
import { metered } from '../../../src/providers/metered/index.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { commands, runRole } from '../../../src/testing/index.js';
import { ask, collect, textOf } from '../../fault-server/collect.js';

const fault = (code: ErrorCode, detail = {}) => new RoleZeroError(code, `${code}.`, detail);

/** One call of a model: it returns these texts, and then fails if there is an error. */
type Act = { says?: string; fails?: Error };

interface Player extends ChatModel {
  calls: number;
}

/** A scripted model that returns its name when its script is used up. */
function player(id: string, part: Act[] = [], more: Partial<ChatModel> = {}): Player {
  const self: Player = {
    id,
    contextWindow: 8_192,
    ...more,
    calls: 0,
    async *chat() {
      const { says, fails } = part[self.calls++] ?? { says: id };
      if (says !== undefined) yield { type: 'text-delta', text: says };
      if (fails !== undefined) throw fails;
      yield { type: 'usage', promptTokens: 900, completionTokens: 100 };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  return self;
}

beforeEach(() => vi.useFakeTimers({ now: 0, toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

describe('failover', () => {
  it.each([
    'model-device-lost',
    'model-load',
    'model-unreachable',
    'model-timeout',
    'model-request',
    'context-overflow',
    'budget',
  ] as const)('continues with the next model upon %s, and reports it', async (code) => {
    const { chunks, error } = await collect(failover(player('a', [{ fails: fault(code) }]), player('b')));
    expect(error).toBe(null);
    expect(chunks.slice(0, 2)).toEqual([
      {
        type: 'progress',
        phase: 'waiting',
        loaded: 1,
        total: 2,
        text: `a failed: ${code}. Continuing with b.`,
        warning: code,
      },
      { type: 'text-delta', text: 'b' },
    ]);
  });

  it.each(['invalid', 'internal', 'aborted'] as const)('leaves %s to the caller', async (code) => {
    const b = player('b');
    const { error } = await collect(failover(player('a', [{ fails: fault(code) }]), b));
    expect([error?.code, b.calls]).toEqual([code, 0]);
  });

  it('skips a model for a minute after a failure, then prefers it again', async () => {
    const a = player('a', [{ fails: fault('model-unreachable') }]);
    const model = failover(a, player('b'));
    expect(await textOf(model)).toBe('b');
    vi.setSystemTime(59_000);
    expect(await textOf(model)).toBe('b');
    vi.setSystemTime(61_000);
    expect(await textOf(model)).toBe('a');
    expect(a.calls).toBe(2);
  });

  it('waits as long as a server requests, and skips a model without budget forever', async () => {
    const limited = failover(
      player('a', [{ fails: fault('model-request', { retryAfterMs: 300_000 }) }]),
      player('b'),
    );
    const spent = failover(player('a', [{ fails: fault('budget') }]), player('b'));
    await Promise.all([textOf(limited), textOf(spent)]);
    vi.setSystemTime(299_000);
    expect(await textOf(limited)).toBe('b');
    vi.setSystemTime(301_000);
    expect(await textOf(limited)).toBe('a');
    vi.setSystemTime(1e12);
    expect(await textOf(spent)).toBe('b');
  });

  it('does not skip a model after a prompt that was too long for it', async () => {
    const model = failover(player('a', [{ fails: fault('context-overflow') }]), player('b'));
    expect([await textOf(model), await textOf(model)]).toEqual(['b', 'a']);
  });

  it('tries the one that failed first when all are skipped', async () => {
    const model = failover(
      player('a', [{ fails: fault('model-timeout') }]),
      player('b', [{ says: 'b' }, { fails: fault('model-timeout') }]),
    );
    expect([await textOf(model), await textOf(model)]).toEqual(['b', 'a']);
  });

  it('never mixes two replies: the next model restarts an interrupted one on retry', async () => {
    const model = failover(
      player('a', [{ says: 'Half of', fails: fault('model-request', { retryable: false }) }]),
      player('b', [{ says: 'All of it.' }]),
    );
    const { chunks, error } = await collect(model);
    expect(chunks).toEqual([{ type: 'text-delta', text: 'Half of' }]);
    expect(error).toMatchObject({ code: 'model-request', detail: { retryable: true } });
    expect(error?.message).toBe('a failed: model-request. Continuing with b.');
    expect(await textOf(model)).toBe('All of it.');
  });

  it('reports every failure when no model answers, and the own error of a single model', async () => {
    const broken = (id: string) => player(id, [{ fails: fault('model-timeout', { limit: 'idle' }) }]);
    const { error } = await collect(failover(broken('a'), broken('b')));
    expect(error).toMatchObject({
      code: 'model-timeout',
      message: 'No model answered. a: model-timeout. b: model-timeout.',
      detail: { limit: 'idle', failed: [{ model: 'a' }, { model: 'b' }] },
    });
    expect((await collect(failover(broken('a')))).error?.message).toBe('model-timeout.');
  });

  it('supports only what all of its models support', async () => {
    const able = { jsonSchema: true, images: true, seed: true };
    const model = failover(
      player('a', [], { contextWindow: 4_096, supports: able, countTokens: () => 3 }),
      player('b', [], {
        maxOutputTokens: 500,
        supports: { ...able, images: false },
        countTokens: () => Promise.resolve(7),
      }),
    );
    expect(model).toMatchObject({
      id: 'a, else b',
      contextWindow: 4_096,
      maxOutputTokens: 500,
      supports: { jsonSchema: true, images: false, seed: true },
    });
    expect(await model.countTokens?.('x')).toBe(7);
    expect(failover(player('a', [], { countTokens: () => 3 }), player('b')).countTokens).toBeUndefined();
    expect(() => failover()).toThrow(expect.objectContaining({ code: 'invalid' }));
  });

  it('calls no other model after it is stopped', async () => {
    const stopping = new AbortController();
    const b = player('b');
    const a: ChatModel = {
      id: 'a',
      contextWindow: 8_192,
      async *chat() {
        yield { type: 'text-delta', text: 'x' };
        stopping.abort();
        throw fault('model-request');
      },
    };
    const { error } = await collect(failover(a, b), ask({ signal: stopping.signal }));
    expect([error?.code, b.calls]).toEqual(['model-request', 0]);
  });

  it.each<[string, RoleZeroError]>([
    ['the loss of its device', fault('model-device-lost')],
    ['an outage', fault('model-unreachable')],
    ['a rate limit', fault('model-request', { status: 429, retryAfterMs: 90_000 })],
    ['a spent budget', fault('budget')],
  ])('keeps a run going upon %s, and warns', async (_what, lost) => {
    const reply = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);
    const a = player('a', [{ says: 'Response Category: TASK' }, { says: 'English' }, { fails: lost }]);
    const b = player('b', [{ says: reply }, { says: 'Summed up.' }]);
    const { outcome, events } = await runRole(
      new RoleZero({ callPlan: 'classic', model: failover(a, b) }),
      'go',
    );
    expect(outcome).toMatchObject({ status: 'done', summary: 'Summed up.' });
    expect([a.calls, b.calls]).toEqual([3, 2]);
    expect(events.filter(({ type }) => type === 'warning')).toEqual([
      {
        type: 'warning',
        code: lost.code,
        message: `a failed: ${lost.message} Continuing with b.`,
        detail: { role: 'Zero' },
      },
    ]);
  });

  it('keeps a run going when its model breaks in the middle of a thought', async () => {
    const write = commands(['Editor.write', { path: '/a.txt', content: 'x' }]);
    const reply = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);
    const lost = fault('model-device-lost');
    const model = failover(
      player('a', [
        { says: 'Response Category: TASK' },
        { says: 'English' },
        { says: write.slice(0, 30), fails: lost },
      ]),
      player('b', [{ says: reply }, { says: 'Summed up.' }]),
    );
    const { outcome, events, memory } = await runRole(new RoleZero({ callPlan: 'classic', model }), 'go');
    expect(outcome).toMatchObject({ status: 'done', summary: 'Summed up.' });
    expect(memory[1]?.content).toBe(reply);
    expect(events.filter(({ type }) => type === 'warning')).toEqual([
      expect.objectContaining({ code: 'model-device-lost' }),
    ]);
  });
});

describe('a metered model', () => {
  const price = { promptPerMillion: 10, completionPerMillion: 30 }; // gpt-4-turbo
  const uses = (counts: [number, number, number?][]): ChatModel => {
    const left = [...counts];
    return {
      id: 'm',
      contextWindow: 8_192,
      async *chat() {
        const [promptTokens, completionTokens, costUsd] = left.shift() ?? [0, 0];
        yield {
          type: 'usage',
          promptTokens,
          completionTokens,
          ...(costUsd === undefined ? {} : { costUsd }),
        };
        yield { type: 'finish', reason: 'stop' };
      },
    };
  };

  it('A-265 costs 0.013 for 1000/100 tokens of gpt-4-turbo, and 0.0143 with 100/10 more', async () => {
    const model = metered(
      uses([
        [1_000, 100],
        [100, 10],
      ]),
      { price },
    );
    const [usage] = (await collect(model)).chunks;
    expect(usage).toEqual({ type: 'usage', promptTokens: 1_000, completionTokens: 100, costUsd: 0.013 });
    await collect(model);
    const { costUsd, ...tokens } = model.spent;
    expect(tokens).toEqual({ calls: 2, promptTokens: 1_100, completionTokens: 110 });
    expect(costUsd).toBeCloseTo(0.0143, 10);
  });

  it('A-265 uses the cost that a model reports, and counts a model without a price as free', async () => {
    const reported = metered(uses([[1_000, 100, 0.5]]), { price });
    const free = metered(uses([[1_000, 100]]), {});
    await Promise.all([collect(reported), collect(free)]);
    expect([reported.spent.costUsd, free.spent.costUsd, free.spent.promptTokens]).toEqual([0.5, 0, 1_000]);
  });

  it('is not called beyond its budget, and another continues', async () => {
    const limited = metered(player('a'), { budget: { tokens: 1_000 } });
    const model = failover(limited, player('b'));
    expect([await textOf(model), await textOf(model), await textOf(model)]).toEqual(['a', 'b', 'b']);
    expect((await collect(limited)).error?.code).toBe('budget');
    const paid = metered(uses([[1_000_000, 0]]), { price, budget: { usd: 5 } });
    expect((await collect(paid)).error).toBe(null);
    expect((await collect(paid)).error?.message).toBe('The budget of m is spent: 1000000 tokens, $10.0000.');
  });
});
