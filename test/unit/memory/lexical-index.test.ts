import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LexicalIndex } from '../../../src/memory/lexical-index.js';

/** The same ranking, written to be checked by eye: every document is looked at for every word. */
function bm25(documents: ReadonlyMap<number, readonly string[]>, query: readonly string[]) {
  const all = [...documents.values()];
  const average = all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, all.length);
  return [...documents]
    .map(([document, words]) => {
      let score = 0;
      for (const word of new Set(query)) {
        const having = all.filter((other) => other.includes(word)).length;
        const count = words.filter((other) => other === word).length;
        if (count === 0) continue;
        const weight = Math.log(1 + (all.length - having + 0.5) / (having + 0.5));
        score += (weight * count * 2.5) / (count + 1.5 * (0.25 + (0.75 * words.length) / average));
      }
      return { document, score };
    })
    .filter(({ score }) => score > 0);
}

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const step = fc.oneof(
  fc.record({ add: fc.array(word, { maxLength: 8 }) }),
  fc.record({ remove: fc.nat(20) }),
  fc.constant({ reload: true }),
);

test('whatever is added, removed, saved and loaded, it ranks as a plain computation does', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.array(word, { maxLength: 4 }), (steps, query) => {
      let index = new LexicalIndex();
      const documents = new Map<number, readonly string[]>();
      let next = 0;
      for (const one of steps) {
        if ('add' in one) {
          index.add(next, one.add);
          documents.set(next++, one.add);
        } else if ('remove' in one) {
          index.remove(one.remove);
          documents.delete(one.remove);
        } else {
          const loaded = new LexicalIndex();
          expect(loaded.load(index.save())).toBe(true);
          index = loaded;
        }
      }
      expect(index.size).toBe(documents.size);
      const found = index.search(query, 100);
      const wanted = new Map(bm25(documents, query).map(({ document, score }) => [document, score]));
      expect(new Set(found.map(({ document }) => document))).toEqual(new Set(wanted.keys()));
      for (const { document, score } of found) expect(score).toBeCloseTo(wanted.get(document) ?? -1, 4);
      for (const [place, { score }] of found.entries())
        expect(score).toBeLessThanOrEqual(found[place - 1]?.score ?? Infinity);
      expect(index.search(query, 2)).toEqual(found.slice(0, 2));
    }),
  );
});

test('of a removed document no word is left in what is saved', () => {
  const index = new LexicalIndex();
  index.add(0, ['swordfish', 'word']);
  index.add(1, ['word']);
  const text = () => new TextDecoder('latin1').decode(index.save());
  expect(text()).toContain('swordfish');
  index.remove(0);
  expect(text()).not.toContain('swordfish');
  expect(index.search(['swordfish', 'word'], 9).map(({ document }) => document)).toEqual([1]);
});

test('bytes that are no index are refused, and what was there stays', () => {
  const index = new LexicalIndex();
  index.add(0, ['a']);
  const saved = index.save();
  for (const bytes of [
    new Uint8Array(),
    new Uint8Array(64),
    saved.slice(0, saved.length - 1),
    saved.slice(0, 40),
  ])
    expect(index.load(bytes)).toBe(false);
  expect(index.search(['a'], 1)).toHaveLength(1);
});
