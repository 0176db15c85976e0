import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlText } from '../../../../src/tools/search/html-text.js';
import { ranking, readableText, rewrittenQuery } from '../../../../src/tools/search/search.js';

describe('the text of a web page', () => {
  it.each([
    ['<p>a<br>b</p><p>c</p>', 'a b c'],
    ['un<b>believ</b>able', 'unbelievable'],
    ['a<script>if (1 < 2) alert("</p>")</script>b<style>p{}</style >c', 'a b c'],
    ['İİİ<script>x</SCRIPT>b', 'İİİ b'],
    ['a<!-- <p>no</p> -->b<!-- never closed', 'ab'],
    ['a<script>never closed', 'a'],
    ['<header>kept</header><nav>gone</nav>', 'kept'],
    ['1 < 2 &amp;&amp; 3 > 2 &#x41;&#66; &unknown; &#0;', '1 < 2 && 3 > 2 AB &unknown; \uFFFD'],
    ['&nbsp;a&nbsp;&nbsp;b', 'a b'],
    ['Caf&eacute; &uuml;ber &euro;5 &copy 2026 &notin;', 'Café über €5 © 2026 ∉'],
    ['<a title="a > b" href="x">link</a>', 'link'],
    ["<p data-x='</p>' title=\"it's > it\">text", 'text'],
    ['<svg><svg></svg>icon</svg>text<svg/>more', 'text more'],
    ['<head><title>No</title><body>yes', 'yes'],
    ['<textarea><b>&amp;</b></textarea>', '<b>&</b>'],
    ['', ''],
  ])('of %j is %j', (html, text) => {
    expect(htmlText(html)).toBe(text);
  });

  it('is extracted in linear time from any page', () => {
    for (const piece of [
      '<',
      '<!--',
      '<script>',
      '<p',
      '&',
      '<script></script>',
      ' ',
      '</script',
      '&#',
      '<a title="',
      '<svg>',
      '</nav>',
      '<i></x>',
    ])
      expect(htmlText(piece.repeat(200_000)).length).toBeLessThanOrEqual(piece.length * 200_000);
  });

  it('is one line of at most 4,000 characters, or nothing', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 1, max: 100 }), (text, times) => {
        const page = readableText(text.repeat(times));
        if (page === null) return;
        expect(page.length).toBeLessThanOrEqual(4_000);
        expect(page).not.toMatch(/[\r\n]/);
      }),
    );
  });
});

describe('a ranking', () => {
  it('names existing results once, for any reply', () => {
    const replies = fc.oneof(
      fc.string(),
      fc
        .array(fc.oneof(fc.integer({ min: -3, max: 20 }), fc.double(), fc.string()))
        .map((list) => JSON.stringify(list)),
    );
    fc.assert(
      fc.property(replies, fc.integer({ min: 0, max: 10 }), (reply, count) => {
        const order = ranking(reply, count);
        expect(new Set(order).size).toBe(order.length);
        expect(order.every((index) => Number.isInteger(index) && index >= 0 && index < count)).toBe(true);
      }),
    );
  });

  it('is found in other text of a model', () => {
    expect(ranking('Results [see] matter.\n```json\n[1, 0]\n```', 3)).toEqual([1, 0]);
    expect(ranking('{"ranking": [2]}', 3)).toEqual([2]);
  });
});

describe('a rewritten query', () => {
  it('is found in other text of a model, and is never blank or endless', () => {
    expect(rewrittenQuery('Sure {ok}: ```json\n{"query": " better "}\n```', 'old')).toBe('better');
    expect(rewrittenQuery(JSON.stringify({ query: 'x'.repeat(9_000) }), 'old')).toHaveLength(500);
    fc.assert(fc.property(fc.string(), (reply) => rewrittenQuery(reply, 'old').trim() !== ''));
  });
});
