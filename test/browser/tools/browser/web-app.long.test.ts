import { expect, test } from 'vitest';
import { agent, outputs, type Step } from './agent.js';

const INDEX = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Shopping list</title>
    <link rel="stylesheet" href="style.css" />
    <script type="module" src="app.js"></script>
  </head>
  <body>
    <h1>Shopping list</h1>
    <form>
      <label>Item <input name="item" required /></label>
      <label>Price <input name="price" type="number" required /></label>
      <button>Add</button>
    </form>
    <ul></ul>
    <p role="status">Total: 0</p>
  </body>
</html>
`;
const STYLE = 'ul { list-style: square; }\n[role="status"] { font-weight: bold; }\n';
/** Concatenates texts where it should add numbers. */
const APP = `const items = [];
const form = document.querySelector('form');
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const { item, price } = Object.fromEntries(new FormData(form));
  items.push({ item, price: price });
  const line = document.createElement('li');
  line.textContent = item + ' for ' + price;
  document.querySelector('ul').append(line);
  const total = items.reduce((sum, each) => sum + each.price, 0);
  document.querySelector('[role="status"]').textContent = 'Total: ' + total;
  form.reset();
});
`;

const write = (path: string, content: string): Step => ['Editor.write', { path, content }];
/** The steps of a user, by what is on the page; `readingModel` finds the element numbers. */
const buy = (name: string, cost: string): Step[] => [
  ['Browser.type', { element_id: "{{textbox 'Item'}}", content: name }],
  ['Browser.type', { element_id: "{{spinbutton 'Price'}}", content: cost }],
  ['Browser.click', { element_id: "{{button 'Add'}}" }],
];

test(
  'an agent writes an app of three files, finds its bug by using it, fixes it and verifies the fix',
  { timeout: 120_000 },
  async () => {
    const { session } = await agent([
      [
        write('/shop/index.html', INDEX),
        write('/shop/style.css', STYLE),
        write('/shop/app.js', APP),
        ['Browser.goto', { url: '/shop/index.html' }],
      ],
      [...buy('tea', '3'), ...buy('milk', '2')],
      ['Browser.console', {}], // The total is 032 and no error occurred: texts were concatenated.
      ['Editor.replace_text', { path: '/shop/app.js', old: 'price: price', new: 'price: Number(price)' }],
      ['Browser.goto', { url: '/shop/index.html' }],
      [...buy('bread', '4'), ...buy('salt', '1')],
      ['Browser.view', {}],
    ]);
    const report = await outputs(session.send('Write a shopping list with prices and a total, and try it.'));
    const loaded = 'SUCCESS, URL: file:///shop/index.html have been loaded.';
    expect(report.filter((text) => text === loaded)).toHaveLength(14);
    expect(report).toHaveLength(20);
    const since = (await session.export()).records
      .filter(({ table }) => table === 'turns')
      .map(({ value }) => (value as { content: string }).content);
    expect(since.some((text) => text.includes('milk for 2') && text.includes('Total: 032'))).toBe(true);
    expect(report.at(-1)).toContain('salt for 1');
    expect(report.at(-1)).toContain('Total: 5');
    expect(report.at(-1)).not.toContain('milk');
  },
);
