import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SeededRuntime, type RandomState } from '../../../src/core/runtime.js';

const ids = (runtime: SeededRuntime, count: number) => Array.from({ length: count }, () => runtime.newId());
const word = fc.integer({ min: 0, max: 0xffff_ffff });
const states = fc.tuple(word, word, word, word) as fc.Arbitrary<RandomState>;

describe('ids and random numbers from a state', () => {
  test('produces the same ids and numbers from the same state', () => {
    fc.assert(
      fc.property(states, (state) => {
        const [one, two] = [new SeededRuntime([...state]), new SeededRuntime([...state])];
        expect([...ids(one, 5), one.random()]).toEqual([...ids(two, 5), two.random()]);
      }),
    );
  });

  test('a snapshot continues where it was taken, also through JSON', () => {
    fc.assert(
      fc.property(states, fc.nat({ max: 20 }), (state, before) => {
        const runtime = new SeededRuntime(state);
        ids(runtime, before);
        const snapshot = JSON.parse(JSON.stringify(runtime.snapshot())) as RandomState;
        const expected = ids(runtime, 3);
        expect(ids(new SeededRuntime(snapshot), 3)).toEqual(expected);
        expect(runtime.snapshot()).not.toEqual(snapshot);
      }),
    );
  });

  test('does not share state with its input or its readers', () => {
    const state: RandomState = [1, 2, 3, 4];
    const runtime = new SeededRuntime(state);
    runtime.newId();
    expect(state).toEqual([1, 2, 3, 4]);
    runtime.snapshot()[0] = 0;
    const expected = new SeededRuntime([1, 2, 3, 4]);
    expected.newId();
    expect(runtime.newId()).toBe(expected.newId());
  });

  test('creates 10,000 different ids of 32 hexadecimal characters', () => {
    for (const runtime of [
      new SeededRuntime([0, 0, 0, 0]),
      new SeededRuntime([1, 2, 3, 4]),
      SeededRuntime.fresh(),
    ]) {
      const made = ids(runtime, 10_000);
      expect(made.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
      expect(new Set(made).size).toBe(10_000);
    }
  });

  test('creates random numbers in [0, 1), evenly spread', () => {
    const runtime = new SeededRuntime([9, 8, 7, 6]);
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let count = 0; count < 10_000; count++) {
      const tenth = Math.floor(runtime.random() * 10);
      tenths[tenth] = (tenths[tenth] ?? Number.NaN) + 1;
    }
    expect(tenths).toHaveLength(10);
    expect(tenths.every((count) => count > 850 && count < 1150)).toBe(true);
  });

  test('differs between fresh runtimes, and uses the given clock', () => {
    const [one, two] = [SeededRuntime.fresh(() => 42), SeededRuntime.fresh(() => 42)];
    expect([one.now(), one.newId() === two.newId()]).toEqual([42, false]);
  });
});
