import { describe, expect, it } from 'vitest';
import { WordRanking } from '../../../src/memory/lexical-index.js';

const DOCUMENTS = ['the cat sat', 'the dog lay on the mat', 'a bird', 'the end'].map((text) =>
  text.split(' '),
);

describe('a ranking by words', () => {
  const ranking = new WordRanking(DOCUMENTS);

  it('finds only documents that share a word with the query, best first', () => {
    expect(ranking.search(['dog', 'bird', 'lay'], 4)).toEqual([1, 2]);
    expect(ranking.search(['dog', 'bird', 'lay'], 1)).toEqual([1]);
    expect(ranking.search(['nothing'], 2)).toEqual([]);
    expect(ranking.search(['cat'], 0)).toEqual([]);
    expect(new WordRanking([]).search(['cat'], 3)).toEqual([]);
    expect(new WordRanking([[], []]).search(['cat'], 3)).toEqual([]);
  });

  it('counts common words for a document, and each word of the query once', () => {
    expect(ranking.search(['the'], 4)).toEqual([3, 1, 0]); // Highest where it occurs twice or the text is short.
    expect(ranking.search(['bird', 'bird', 'bird', 'cat', 'sat'], 1)).toEqual([0]);
  });

  it('keeps the order of equal documents', () => {
    expect(new WordRanking([['a'], ['b'], ['a'], ['a']]).search(['a'], 3)).toEqual([0, 2, 3]);
  });
});
