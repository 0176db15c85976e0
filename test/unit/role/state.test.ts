import { expect, test } from 'vitest';
import { RoleZeroError } from '../../../src/base/error.js';
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

const working = {
  ...initialState(),
  reaction: {
    ...newReaction('r', null),
    batch: {
      commands: [{ name: 'end', args: {} }],
      results: [],
      intent: null,
      stopped: false,
    },
  },
};

test('a state that was damaged, or made by a stranger, is refused by name wherever the damage is', () => {
  const damaged: unknown[] = [];
  /** The state with something else in the place of each of its values, one after the other. */
  const damage = (value: unknown, put: (value: unknown) => unknown): void => {
    for (const wrong of [Symbol.iterator.toString, -0.5, { not: 'this' }, ['nor', ['this']]])
      if (typeof wrong !== typeof value || Array.isArray(wrong) !== Array.isArray(value))
        damaged.push(put(wrong));
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value))
      damage(part, (other) =>
        put(Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other }),
      );
  };
  for (const [key, part] of Object.entries(working))
    if (key !== 'version') damage(part, (other) => ({ ...working, [key]: other }));
  expect(damaged.length).toBeGreaterThan(200);
  for (const state of damaged) {
    try {
      readState(state);
    } catch (error) {
      expect(error).toBeInstanceOf(RoleZeroError);
      expect(error).toMatchObject({ code: 'storage-corrupt' });
      continue;
    }
    expect.fail(`read ${JSON.stringify(state)}`);
  }
});

test.each([
  [
    'more results than commands',
    { batch: { ...working.reaction.batch, commands: [], results: [{ name: 'a', ok: true, output: '' }] } },
  ],
  ['a command without arguments', { batch: { ...working.reaction.batch, commands: [{ name: 'end' }] } }],
  ['no id', { id: undefined }],
])('a reaction with %s is refused', (_what, part) => {
  expect(() => readState({ ...working, reaction: { ...working.reaction, ...part } })).toThrow(
    expect.objectContaining({
      code: 'storage-corrupt',
      message: expect.stringContaining('reaction.') as string,
    }),
  );
});

test('what a state says of every object stays its own', () => {
  const state = readState(
    JSON.parse('{"version":1,"said":{"__proto__":{"polluted":"yes"}},"__proto__":{"polluted":1}}'),
  );
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(state.plan).toEqual(initialState().plan);
});
