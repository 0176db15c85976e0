import { describe, expect, it } from 'vitest';
import { rate, search } from '../../../demo/state/word-search.js';

describe('the search by words', () => {
  const texts = ['Export this session', 'New session', 'Theme: Dark', '语言：中文', 'Show Preview'];
  const found = (query: string) => search(texts, query, (text) => text);

  it('finds every text without a query, in its order', () => {
    expect(found('  ')).toEqual(texts);
  });

  it('finds words by their beginnings, in any order and case', () => {
    expect(found('SES new')).toEqual(['New session']);
    expect(found('ses')).toEqual(['Export this session', 'New session']);
  });

  it('prefers whole words to parts, and parts to letters in order', () => {
    expect(rate('art', 'art')).toBeGreaterThan(rate('article', 'art'));
    expect(rate('article', 'art')).toBeGreaterThan(rate('start', 'art'));
    expect(rate('start', 'art')).toBeGreaterThan(rate('abort', 'art'));
    expect(found('pvw')).toEqual(['Show Preview']);
  });

  it('needs every word of the query', () => {
    expect(found('new theme')).toEqual([]);
    expect(rate('Export', 'zzz')).toBe(0);
  });

  it('finds text without spaces between words', () => {
    expect(found('中文')).toEqual(['语言：中文']);
  });
});
