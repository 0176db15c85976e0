import { expect, it } from 'vitest';
import { isUrl } from '../../../src/core/is-url.js';

it('accepts what URL accepts, however often it is called', () => {
  // Enough calls for the engine to optimize: `URL.canParse` of Node 20 rejects the next address then.
  for (let call = 0; call < 300_000; call++) isUrl('https://a.example');
  expect(isUrl('https://bücher.example')).toBe(true);
  expect(isUrl('/page', 'https://a.example')).toBe(true);
});

it('rejects what URL rejects', () => {
  expect(['', 'a.example', '/page', 'https://', 'http://a b'].filter((text) => isUrl(text))).toEqual([]);
});
