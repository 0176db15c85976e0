import { expect, test } from 'vitest';
import { initialState, newReaction, readState } from '../../../src/role/state.js';

test('work that an earlier release left unfinished lacks nothing that is counted now', () => {
  const reaction = newReaction('r', null);
  const { calls: _calls, ms: _ms, ...usage } = { ...reaction.usage, tokens: 7, usd: 0.5 };
  const { earlierGoals: _goals, modelMs: _modelMs, ...state } = initialState();
  expect(readState({ ...state, reaction: { ...reaction, usage } })).toEqual({
    ...initialState(),
    reaction: { ...reaction, usage: { calls: 0, ms: 0, tokens: 7, usd: 0.5 } },
  });
});
