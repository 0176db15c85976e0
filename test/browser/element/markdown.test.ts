import { render } from 'lit';
import { afterEach, expect, test } from 'vitest';
import { markdown } from 'rolezero/element/markdown';

const place = document.createElement('div');
document.body.append(place);
afterEach(() => render('', place));

test.each([
  ['[the docs](https://evil.test/a?b)', 'the docs (evil.test)'],
  ['[https://bank.example](https://evil.test/)', 'https://bank.example (evil.test)'],
  ['[bank.example](https://evil.test/)', 'bank.example (evil.test)'],
  ['[b](https://b\u00e4nk.example:8080/)', 'b (xn--bnk-qla.example:8080)'],
  ['[**bold** text](http://evil.test)', 'bold text (evil.test)'],
  ['[write](mailto:mallory@evil.test)', 'write (mallory@evil.test)'],
  ['[write](mailto:100%)', 'write (100%)'],
  ['https://site.example/page', 'https://site.example/page'],
  ['[site.example](https://site.example/)', 'site.example'],
  ['<ada@site.example>', 'ada@site.example'],
  ['no link (evil.test)', 'no link (evil.test)'],
])('a reply shows where a link leads: %s', (text, shown) => {
  render(markdown(text), place);
  expect(place.textContent?.trim()).toBe(shown);
  for (const link of place.querySelectorAll('a'))
    expect([link.target, link.rel]).toEqual(['_blank', 'noopener noreferrer']);
});
