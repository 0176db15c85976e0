import { render } from 'lit';
import { afterEach, expect, test, vi } from 'vitest';
import { markdown, type Renderers } from 'rolezero/element/markdown';
import { markdownView, setRenderers } from '../../../src/element/markdown-view.js';
import { inParts } from '../../../src/element/markdown/in-parts.js';

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

test.each([
  ['# A\n\ntext  \nmore', '<h1>A</h1><p>text<br>more</p>'],
  ['* one\n* [x] two\n\n3. three', '<ul><li>one</li><li>☑ two</li></ul><ol start="3"><li>three</li></ol>'],
  [
    '|a|b|\n|-|-|\n|`1`|**2**|',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>1</code></td><td><strong>2</strong></td></tr></tbody></table>',
  ],
  [
    '|a|b|\n|-:|:-:|\n|1|2|',
    '<table><thead><tr><th align="right">a</th><th align="center">b</th></tr></thead><tbody><tr><td align="right">1</td><td align="center">2</td></tr></tbody></table>',
  ],
  ['> quoted ~~old~~ *new*', '<blockquote><p>quoted <del>old</del> <em>new</em></p></blockquote>'],
  ['```html\n<b>&amp;</b>\n```', '<pre><code>&lt;b&gt;&amp;amp;&lt;/b&gt;\n</code></pre>'],
  [
    'a &lt; b &amp; c&nbsp;&#8364; &unknown; &#0; `&lt;`',
    '<p>a &lt; b &amp; c&nbsp;€ &amp;unknown; \ufffd <code>&amp;lt;</code></p>',
  ],
  ['---', '<hr>'],
])('a reply shows %j', (text, expected) => {
  render(markdown(text), place);
  const found = place.innerHTML
    .replaceAll(/<!--.*?-->/g, '')
    .replace(/^<div class="markdown">|<\/div>$/g, '');
  expect(
    found.replaceAll(/>\s*\n\s*</g, '><').replaceAll(/(<(?:ul|ol[^>]*)>)\s+|\s+(<\/(?:ul|ol)>)/g, '$1$2'),
  ).toBe(expected);
});

test.each([
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '![picture](https://evil.test/a.png)',
  '[x](javascript:alert(1))',
  '[x](java&#115;cript:alert(1))', // cspell:disable-line
  '[x](data:text/html,hi)',
  '[x](relative.html)',
  '[x](https://evil.test/"onclick="alert(1))',
  '<a href="https://evil.test" onclick="alert(1)">x</a>',
  '<svg><style><img src=x></style></svg>',
])('a reply never becomes more than text and links: %s', (text) => {
  render(markdown(text), place);
  const elements = [...place.querySelectorAll('*')].filter((element) => element.className !== 'markdown');
  expect(
    elements.map(({ localName }) => localName).filter((name) => !['p', 'a', 'span'].includes(name)),
  ).toEqual([]);
  for (const element of elements) {
    const names = element
      .getAttributeNames()
      .filter((name) => !['class', 'href', 'target', 'rel', 'title'].includes(name));
    expect([names, element.getAttribute('href')?.startsWith('http') ?? true]).toEqual([[], true]);
  }
});

test.each([
  '> '.repeat(5_000) + 'deep',
  '['.repeat(20_000),
  '*'.repeat(20_000) + 'a',
  '- '.repeat(400) + 'x',
])('a reply that is nested too deeply is shown as text', (text) => {
  render(markdown(text), place);
  expect(place.textContent?.length).toBeGreaterThan(0);
});

test.each<[what: string, text: string, parts: string[]]>([
  ['paragraphs', `${'word '.repeat(500)}\n\nNext.\n`, [`${'word '.repeat(500)}\n\n`, 'Next.\n']],
  ['a loose list', `- ${'word '.repeat(500)}\n\n- two\n\n  more\n`, []],
  [
    'code with blank lines',
    `${'x\n'.repeat(3)}\n\`\`\`js\n${'a\n\n'.repeat(900)}\`\`\`\n\nEnd.\n`,
    ['x\nx\nx\n\n', `\`\`\`js\n${'a\n\n'.repeat(900)}\`\`\`\n\n`, 'End.\n'],
  ],
  ['links by name', `${'word '.repeat(500)}\n\n[a][1]\n\n[1]: https://site.example\n`, []],
])('%s are parsed in parts that mean the same', (_what, text, parts) => {
  expect(inParts(text)).toEqual(parts.length === 0 ? [text] : parts);
});

test('a long reply of many parts is read as a whole', () => {
  const text = [
    '# Title',
    '',
    ...Array.from({ length: 200 }, (_, at) => `Paragraph ${at} with **bold** text.\n`),
    '1. one',
    '',
    '2. two',
    '',
    '```',
    '# no title',
    '',
    '# neither',
    '```',
    '',
    '| a |',
    '|-|',
    '| 1 |',
    '',
    '> quoted',
    '',
    '> more',
  ].join('\n');
  render(markdown(text), place);
  const counts = ['h1', 'h3', 'h4', 'p strong', 'ol', 'ol > li', 'pre', 'table', 'blockquote'].map(
    (each) => place.querySelectorAll(each).length,
  );
  expect(counts.slice(-6)).toEqual([200, 1, 2, 1, 1, 2]);
  expect(place.querySelector('pre')?.textContent).toContain('# no title\n\n# neither');
});

test.each([
  ['a table', 'a|b\n-|-\n' + 'x|y\n'.repeat(50_000), 'table td'],
  ['a wide table', `${'a|'.repeat(6_000)}\n${'-|'.repeat(6_000)}\n${'x|'.repeat(6_000)}`, 'table td'],
  ['paragraphs', 'x\n\n'.repeat(200_000), 'p'],
  ['a list', '- x\n'.repeat(100_000), 'li'],
  ['emphasis', '*a* '.repeat(100_000), 'em'],
  ['emphasis after code', `\`\`\`\n\`\`\`\n${'*a* '.repeat(100_000)}`, 'em'],
  [
    'emphasis with a link by name',
    `\`\`\`\n\`\`\`\n[x]: https://site.example\n${'*a* '.repeat(100_000)}`,
    'em',
  ],
  ['a list after code', `~~~\n~~~\n${'- x\n'.repeat(100_000)}`, 'li'],
  ['a deep list', Array.from({ length: 600 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n'), 'li'],
])('%s beyond a limit is shown as text, whole', (_what, text, selector) => {
  const started = performance.now();
  render(markdown(text), place);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(place.querySelectorAll(selector).length).toBeLessThanOrEqual(5_000);
  const letters = (shown: string) => shown.replaceAll(/[^axy]/g, '').length;
  expect(letters(place.textContent ?? '')).toBe(letters(text));
});

const plain = { copy: 'Copy', copied: 'Copied', diagramAlt: 'Diagram' };

test('code has its language, colors, and a button that copies it', async () => {
  const highlight: Renderers['highlight'] = (code, language) =>
    language === 'js'
      ? [
          { text: 'let', kind: 'tok-keyword' },
          { text: code.slice(3), kind: '' },
        ]
      : null;
  render(
    markdown('Look:\n\n```js title=x\nlet a = 1;\n```\n\n```zz\nother\n```', { ...plain, highlight }),
    place,
  );
  expect([...place.querySelectorAll('.code-head span')].map(({ textContent }) => textContent)).toEqual([
    'js',
    'zz',
  ]);
  expect(place.querySelector('.tok-keyword')?.textContent).toBe('let');
  expect([...place.querySelectorAll('pre')].map(({ textContent }) => textContent)).toEqual([
    'let a = 1;\n',
    'other\n',
  ]);
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const [button] = place.querySelectorAll('button');
  button?.click();
  await vi.waitUntil(() => button?.textContent === 'Copied');
  expect(copied.mock.calls).toEqual([['let a = 1;']]);
});

test('code in a chat has colors once they are loaded', async () => {
  setRenderers({ highlight: async () => (code) => [{ text: code, kind: 'tok-string' }] });
  render(markdownView('```js\none\n```', plain), place);
  await vi.waitUntil(() => place.querySelector('.tok-string')?.textContent === 'one');
  setRenderers({});
});

const math: Renderers['math'] = (formula, isBlock) => {
  if (formula.includes('\\broken')) return null;
  const shown = document.createElement('var');
  shown.textContent = isBlock ? `block ${formula}` : formula;
  return shown;
};

const formulasIn = (text: string): (string | null)[] => {
  render(markdown(text, { ...plain, math }), place);
  return [...place.querySelectorAll('var')].map(({ textContent }) => textContent);
};

test.each<[name: string, text: string, formulas: string[]]>([
  ['dollars', 'Let $x_1 * y$ and $2$ be.', ['x_1 * y', '2']],
  ['parentheses', String.raw`So \(a < b\), and \(c\).`, ['a < b', 'c']],
  ['two dollars in a line', 'So $$a$$ is.', ['block a']],
  ['a block of dollars', 'So:\n\n$$\nE = mc^2\n$$\n\nEnd.', ['block E = mc^2']],
  ['a block of brackets', 'So:\n\\[\na\n+b\n\\]\nEnd.', ['block a\n+b']],
  ['a list', '- $a$\n- **$b$**', ['a', 'b']],
  ['an escaped dollar', String.raw`$5\$ + a$`, [String.raw`5\$ + a`]],
  ['prices', 'It costs $5, or $10 for two, US$3 or 4$.', []],
  ['variables of a shell', 'Add $HOME/bin:$PATH to it.', []],
  ['code', '`$a$` and\n\n```\n$b$ \\(c\\)\n```', []],
  ['a dollar alone', 'A $ and $ b.', []],
])('formulas are read: %s', (_name, text, formulas) => {
  expect(formulasIn(text)).toEqual(formulas);
});

test('a formula is shown as it was written where it cannot be read, and where nothing shows formulas', () => {
  expect(formulasIn('Let $\\broken{a_b}$ be.')).toEqual([]);
  expect(place.textContent?.trim()).toBe('Let $\\broken{a_b}$ be.');
  render(markdown('Let $a_b$ be.', plain), place);
  expect(place.textContent?.trim()).toBe('Let $a_b$ be.');
});

test.each([
  ['dollars', '$a '.repeat(6_000)],
  ['open brackets', '\\(a '.repeat(6_000)],
  ['blocks', '$$a\n\n'.repeat(6_000)],
])('many %s of formulas that never end take little time', (_name, text) => {
  const started = performance.now();
  expect(formulasIn(text)).toEqual([]);
  expect(performance.now() - started).toBeLessThan(10_000);
});

const DIAGRAM = '```mermaid\ngraph TD\n  A --> B\n```';
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><script>parent.wasRun = true</script></svg>';

test('a whole diagram is drawn once, as an image that runs nothing', async () => {
  const drawn: string[] = [];
  const diagram = (text: string): Promise<string> => {
    drawn.push(text);
    return Promise.resolve(PICTURE);
  };
  const show = (text: string): unknown => render(markdown(text, { ...plain, diagram }), place);
  show(DIAGRAM.slice(0, -3));
  expect(place.querySelector('pre')?.textContent).toContain('A --> B');
  for (const end of ['', '\n\nSo', '\n\nSo be it.']) show(DIAGRAM + end);
  await vi.waitUntil(() => place.querySelector<HTMLImageElement>('img.diagram')?.naturalWidth === 20);
  expect(place.querySelector('img')?.alt).toBe('Diagram');
  expect(drawn).toEqual(['graph TD\n  A --> B']);
  expect(Reflect.get(window, 'wasRun')).toBeUndefined();
});

test('a diagram that cannot be drawn is shown as text', async () => {
  const diagram = vi.fn(() => Promise.reject(new Error('no such diagram')));
  render(markdown('```mermaid\npie\n```', { ...plain, diagram }), place);
  await vi.waitUntil(() => diagram.mock.results.length === 1);
  await Promise.resolve();
  expect(place.querySelector('img')).toBeNull();
  expect(place.querySelector('pre')?.textContent).toBe('pie\n');
});

test('a renderer that could not be loaded is loaded again for the next text', async () => {
  const load = vi.fn(() => Promise.resolve(math));
  load.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  setRenderers({ math: load });
  render(markdownView('Let $a$ be.', plain), place);
  await vi.waitUntil(() => place.textContent?.includes('Let $a$ be.'));
  await vi.waitUntil(() => load.mock.results.length === 1);
  await new Promise((resolve) => setTimeout(resolve));
  render(markdownView('Let $b$ be.', plain), place);
  await vi.waitUntil(() => place.querySelector('var')?.textContent === 'b');
  setRenderers({});
});
