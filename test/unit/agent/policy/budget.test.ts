import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/core/events.js';
import {
  NOTHING_SPENT,
  due,
  type Account,
  type Budget,
  type Spending,
} from '../../../../src/agent/policy/budget.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../../src/testing/index.js';
import { metered } from '../../../../src/providers/metered/index.js';
import { priceOf, prices } from '../../../../src/providers/prices.js';
import { ask, collect } from '../../../fault-server/collect.js';

const account = (budget: Budget, spent: Partial<Spending>, grant = { rounds: 1, asked: 0 }): Account => ({
  whose: 'run',
  budget,
  spent: { ...NOTHING_SPENT, ...spent },
  grant,
  advice: '',
  decide: () => {},
});

describe('the state of a budget', () => {
  it.each<[Budget, Partial<Spending>, string | null]>([
    [{}, { tokens: 1e9, usd: 1e9, calls: 1e9, ms: 1e9 }, null],
    [{ tokens: 1_000 }, { tokens: 799 }, null],
    [
      { tokens: 1_000 },
      { tokens: 800 },
      '80 % of the budget of this run is spent: 800 tokens of 1000 tokens. Shall I continue?',
    ],
    [
      { usd: 2, calls: 10 },
      { usd: 0.5, calls: 9 },
      '90 % of the budget of this run is spent: $0.5000 of $2.0000, 9 calls of 10 calls. Shall I continue?',
    ],
    [
      { ms: 60_000 },
      { ms: 61_000 },
      'The budget of this run is spent: 61 s of 60 s. Shall I continue and spend as much again?',
    ],
  ])('of %j with %j', (budget, spent, question) => {
    expect(due(account(budget, spent))?.question ?? null).toBe(question);
  });

  it('asks once a round before its end, and again at its end', () => {
    const at = (tokens: number, rounds: number, asked: number) =>
      due(account({ tokens: 1_000 }, { tokens }, { rounds, asked }));
    expect(at(850, 1, 0)).toMatchObject({ isSpent: false, allowed: { rounds: 1, asked: 1 } });
    expect(at(900, 1, 1)).toBe(null);
    expect(at(1_000, 1, 1)).toMatchObject({ isSpent: true, allowed: { rounds: 2, asked: 1 } });
    expect(at(1_100, 2, 1)).toBe(null);
    expect(at(1_800, 2, 1)).toMatchObject({ isSpent: false, allowed: { rounds: 2, asked: 2 } });
    expect(at(0, 1, 0)).toBe(null);
    expect(due(account({ usd: 0 }, {}))).toMatchObject({ isSpent: true });
  });
});

/** Ten calls: two before the loop, seven steps, the summary. */
const think = [
  ...Array.from({ length: 6 }, (_, index) =>
    commands(['RoleZero.reply_to_human', { content: `step ${index}` }]),
  ),
  commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]),
];
const calls = 10;
const role = (budget: Budget) =>
  new RoleZero({ callPlan: 'classic', model: scriptedModel({ think }), budget });
const questions = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'human-question' ? [event.question.text] : []));

describe('the budget of a run', () => {
  it('pauses at 80 % and at its end, and continues as often as the user agrees', async () => {
    const { outcome, human, requests } = await runRole(role({ calls: 5 }), 'go', {
      answers: ['yes', 'yes', 'yes'],
    });
    expect(outcome.status).toBe('done');
    expect(requests).toHaveLength(calls);
    expect(human.questions).toEqual([
      '80 % of the budget of this run is spent: 4 calls of 5 calls. Shall I continue?',
      'The budget of this run is spent: 5 calls of 5 calls. Shall I continue and spend as much again?',
      '80 % of the budget of this run is spent: 9 calls of 10 calls. Shall I continue?',
    ]);
  });

  it('stops where the user denies, and asks again when it is resumed', async () => {
    const zero = role({ calls: 5 });
    const first = await runRole(zero, 'go', { answers: ['no'] });
    expect(first.outcome.status).toBe('stopped');
    expect([first.requests.length, zero.agent.isResumable]).toEqual([4, true]);
    const second = role({ calls: 5 });
    const end = await runRole(second, 'go', { answers: ['yes', 'no'] });
    expect(end.outcome).toMatchObject({ status: 'exhausted' });
    expect([end.requests.length, second.agent.isResumable]).toEqual([5, true]);
  });

  it.each([true, false])('warns and stops at its end without an answer (connected: %s)', async (human) => {
    const zero = role({ calls: 5 });
    const { outcome, requests, events } = await runRole(zero, 'go', { human });
    expect(outcome.status).toBe('exhausted');
    expect([requests.length, zero.agent.isResumable]).toEqual([5, true]); // at most one call beyond the end, here none
    expect(events.filter((event) => event.type === 'warning')).toEqual([
      expect.objectContaining({ code: 'budget', message: expect.stringContaining('80 %') as string }),
    ]);
    expect(questions(events)).toHaveLength(human ? 2 : 0);
  });

  it('is exceeded by one call at most', async () => {
    for (const tokens of [1, 500, 2_000, 5_000, 9_000]) {
      const zero = role({ tokens });
      const { events } = await runRole(zero, 'go', { human: false });
      const took = events.flatMap((event) =>
        event.type === 'usage' ? [event.promptTokens + event.completionTokens] : [],
      );
      const all = took.reduce((sum, one) => sum + one, 0);
      expect(all - (took.at(-1) ?? 0)).toBeLessThan(tokens);
    }
  });

  it('measures the time of calls with the given clock', async () => {
    const zero = role({ ms: 1 });
    const { outcome } = await runRole(zero, 'go', { human: false });
    expect(outcome.status).toBe('done'); // The clock of a benchmark does not advance.
    expect(zero.agent.state.modelMs).toBe(0);
  });
});

it('reports tokens and maximum cost before each call', async () => {
  const model = metered(scriptedModel({ think }, { contextWindow: 8_000, maxOutputTokens: 500 }), {
    price: { promptPerMillion: 10, completionPerMillion: 30 },
  });
  const { events } = await runRole(new RoleZero({ callPlan: 'classic', model }), 'go');
  const kinds = events.flatMap((event) =>
    event.type === 'call-start' || event.type === 'usage' ? [event] : [],
  );
  expect(kinds).toHaveLength(2 * calls);
  for (let at = 0; at < kinds.length; at += 2) {
    const [ahead, after] = [kinds[at], kinds[at + 1]];
    if (ahead?.type !== 'call-start' || after?.type !== 'usage') throw new Error('out of order');
    expect(ahead.purpose).toBe(after.purpose);
    expect(ahead.maxCompletionTokens).toBe(500);
    expect(ahead.promptTokens).toBeGreaterThanOrEqual(after.promptTokens * 0.8);
    expect(ahead.maxCostUsd).toBeCloseTo((ahead.promptTokens * 10 + 500 * 30) / 1e6, 10);
    expect(after.costUsd).toBeLessThanOrEqual(ahead.maxCostUsd * 1.1);
  }
});

describe('the price list', () => {
  it.each([
    ['gpt-5', 1.25],
    ['api.openai.com/gpt-4-turbo', 10],
    ['openrouter.ai/anthropic/claude-sonnet-4-5-20250929', 3],
    ['gpt-4o-2024-08-06', 2.5],
    ['gpt-4o-mini', 0.15],
    ['gpt-5-pro', undefined],
    ['localhost:11434/qwen3:8b', undefined],
    ['toString', undefined],
  ])('%s', (id, prompt) => {
    expect(priceOf(id)?.promptPerMillion).toBe(prompt);
  });

  it('gives precedence to the options of the application', async () => {
    const own = { ...prices, 'gpt-5': { promptPerMillion: 1, completionPerMillion: 2 } };
    const cheap = metered({ ...scriptedModel(['x'.repeat(400)]), id: 'host/gpt-5' }, { prices: own });
    await collect(cheap, ask({ messages: [{ role: 'user', content: 'y'.repeat(4_000) }] }));
    expect(cheap.price).toEqual(own['gpt-5']);
    expect(cheap.spent.costUsd).toBeCloseTo((1_000 * 1 + 100 * 2) / 1e6, 10);
    expect(metered({ ...scriptedModel([]), id: 'gpt-5' }, {}).price).toBe(undefined); // Nothing has a price by default.
  });
});
