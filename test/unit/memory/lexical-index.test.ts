import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LexicalIndex } from '../../../src/memory/lexical-index.js';

/** The same ranking in a simple form: every word is searched in every document. */
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
  { weight: 4, arbitrary: fc.record({ add: fc.array(word, { maxLength: 8 }), at: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ seal: fc.uniqueArray(fc.nat(20), { maxLength: 8 }) }) },
  { weight: 1, arbitrary: fc.constant({ reload: true }) },
);

test('ranks like a plain computation after any adds, removals, seals and attachments', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.array(word, { maxLength: 4 }), (steps, query) => {
      let index = new LexicalIndex();
      const documents = new Map<number, readonly string[]>();
      for (const one of steps) {
        if ('add' in one) {
          index.add(one.at, one.add);
          documents.set(one.at, one.add);
        } else if ('remove' in one) {
          index.remove(one.remove);
          documents.delete(one.remove);
        } else if ('seal' in one) {
          const there = one.seal.filter((document) => documents.has(document)).sort((a, b) => a - b);
          expect([...index.seal(one.seal).documents]).toEqual(there);
        } else {
          const all = [...documents.keys()];
          const halves = [all.filter((at) => at % 2 === 0), all.filter((at) => at % 2 === 1)];
          const segments = halves.map((half) => structuredClone(index.seal(half)));
          index = new LexicalIndex();
          for (const segment of segments) expect(index.attach(segment)).toBe(true);
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

test('leaves no word of a removed document in segments or searches', () => {
  const index = new LexicalIndex();
  index.add(0, ['swordfish', 'word']);
  index.add(1, ['word']);
  expect(index.seal([0, 1]).text).toContain('swordfish');
  index.remove(0);
  expect(index.search(['swordfish', 'word'], 9).map(({ document }) => document)).toEqual([1]);
  expect(index.seal([0, 1]).text).toBe('word');
});

test('finds each of several words with the same hash', () => {
  const index = new LexicalIndex();
  const [one, other] = ['costarring', 'liquid']; // A collision of 32-bit FNV-1a.
  index.add(0, [one]);
  index.add(1, [other]);
  const { hashes } = index.seal([0, 1]);
  expect(hashes[0]).toBe(hashes[1]);
  for (const [document, word] of [one, other].entries())
    expect(index.search([word], 9).map((found) => found.document)).toEqual([document]);
});

test('rejects invalid segments and duplicate documents without a change', () => {
  const index = new LexicalIndex();
  index.add(0, ['a']);
  index.add(1, ['b']);
  const segment = index.seal([1]);
  for (const value of [
    null,
    {},
    { ...segment, slots: new Uint16Array(3) },
    { ...segment, text: 'bb' },
    { ...segment, starts: [...segment.starts] },
    segment,
    { ...segment, documents: Float64Array.of(0) },
  ])
    expect(index.attach(value)).toBe(false);
  expect([index.size, index.search(['a', 'b'], 3).length]).toEqual([2, 2]);
  expect(() => index.seal(Array.from({ length: 65_537 }, (_, at) => at))).toThrow(
    expect.objectContaining({ code: 'invalid' }) as Error,
  );
});
