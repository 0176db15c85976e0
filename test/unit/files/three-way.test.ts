import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeTexts } from '../../../src/files/three-way.js';

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');

it('merges changes of neighboring lines', () => {
  const base = text('one', 'two', 'three');
  const now = text('ONE', 'two', 'three');
  const restored = text('one', '2', 'three');
  expect(mergeTexts({ base, now, restored })).toEqual({ text: text('ONE', '2', 'three'), places: [] });
});

it('merges a line that was added at the end with the removal of the one before it', () => {
  const merged = mergeTexts({ base: text('a', 'b'), now: text('a', 'b', 'c'), restored: text('a') });
  expect(merged).toEqual({ text: text('a', 'c'), places: [] });
});

it('merges what was added to a text without a line break at its end', () => {
  expect(mergeTexts({ base: 'one', now: 'one\ntwo', restored: 'zero' })).toEqual({
    text: 'zero\ntwo',
    places: [],
  });
});

it('takes a change that both have made once', () => {
  const now = text('a', 'new', 'c', 'd');
  expect(mergeTexts({ base: text('a', 'b', 'c'), now, restored: text('a', 'new', 'c') }).text).toBe(now);
});

it('marks lines that contradict each other, and says where they are in the present text', () => {
  const base = text('a', 'b', 'c');
  const merged = mergeTexts({ base, now: text('new', 'a', 'mine', 'c'), restored: text('a', 'old', 'c') });
  expect(merged.places).toEqual([{ line: 3, now: ['mine'], base: ['b'], restored: ['old'] }]);
  expect(merged.text).toBe(
    text('new', 'a', '<<<<<<< now', 'mine', '=======', 'old', '>>>>>>> restored', 'c'),
  );
});

it('finds a contradiction where both add other lines at the same place', () => {
  const merged = mergeTexts({
    base: text('a', 'z'),
    now: text('a', 'n', 'z'),
    restored: text('a', 'r', 'z'),
  });
  expect(merged.places).toEqual([{ line: 2, now: ['n'], base: [], restored: ['r'] }]);
});

it('merges whatever changes different lines, and only that', () => {
  /** For each line of the base: who changes it, and how many lines it becomes. */
  const edits = fc.array(
    fc.record({ by: fc.constantFrom('none', 'now', 'restored', 'both'), count: fc.nat(3) }),
    {
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(edits, (list) => {
      // A line that both change is alone: next to others, it is part of a longer change.
      const isAlone = list.every(
        ({ by }, at) =>
          by !== 'both' || [list[at - 1], list[at + 1]].every((next) => (next?.by ?? 'none') === 'none'),
      );
      fc.pre(isAlone);
      const made = (side: string): string[] =>
        list.flatMap(({ by, count }, line) => {
          if (by !== side && by !== 'both') return [`line ${line}`];
          return Array.from({ length: count }, (_, index) => `${side} ${line}.${index}`);
        });
      const base = text(...list.map((_, line) => `line ${line}`));
      const merged = mergeTexts({ base, now: text(...made('now')), restored: text(...made('restored')) });
      const isContradictory = list.some(({ by, count }) => by === 'both' && count > 0);
      expect(merged.places.length > 0).toBe(isContradictory);
      if (isContradictory) return;
      const both = list.flatMap(({ by, count }, line) =>
        by === 'none'
          ? [`line ${line}`]
          : Array.from({ length: count }, (_, index) => `${by} ${line}.${index}`),
      );
      expect(merged.text).toBe(text(...both));
    }),
  );
});

it('merges long texts without common lines in little time', () => {
  const lines = (word: string): string =>
    text(...Array.from({ length: 60_000 }, (_, line) => `${word} ${line}`));
  const { places } = mergeTexts({ base: lines('a'), now: lines('b'), restored: lines('c') });
  expect(places).toHaveLength(1);
});
