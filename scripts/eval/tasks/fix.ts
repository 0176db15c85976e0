import { evaluatesTo, exist } from '../checks.js';
import type { Task } from '../task.js';

const discount: Task = {
  id: 'fix/discount',
  requests: [
    'discounted(6000, 10) of /cart.js should be 5400: ten percent less, in cents. It returns 5990. Find the bug and fix it. Results are rounded to whole cents.',
  ],
  files: {
    '/cart.js': `// Prices are in cents.
export function sum(items) {
  return items.reduce((total, { price, count }) => total + price * count, 0);
}

export function discounted(cents, percent) {
  return cents - percent;
}
`,
  },
  steps: 12,
  minutes: 10,
  async check(result, evaluate) {
    const call = `
      const { discounted, sum } = await import('/cart.js');
      return [discounted(6000, 10), discounted(999, 25), discounted(100, 0), sum([{ price: 200, count: 3 }])];`;
    return (
      exist(result, discount, '/cart.js') ??
      evaluatesTo(await evaluate(result.files, null, call), [5400, 749, 100, 600], 'discounted() and sum()')
    );
  },
};

const pages: Task = {
  id: 'fix/pages',
  requests: [
    'pages() of /pages.js splits a list into pages. With 5 items and 2 items per page, the last page is missing. Fix /pages.js.',
  ],
  files: {
    '/pages.js': `export function pages(items, size) {
  const result = [];
  for (let start = 0; start + size <= items.length; start += size) {
    result.push(items.slice(start, start + size));
  }
  return result;
}
`,
  },
  steps: 12,
  minutes: 10,
  async check(result, evaluate) {
    const call = `
      const { pages } = await import('/pages.js');
      return [pages([1, 2, 3, 4, 5], 2), pages([1, 2, 3, 4], 2), pages([], 3), pages([1], 3)];`;
    const expected = [
      [[1, 2], [3, 4], [5]],
      [
        [1, 2],
        [3, 4],
      ],
      [],
      [[1]],
    ];
    return (
      exist(result, pages, '/pages.js') ??
      evaluatesTo(await evaluate(result.files, null, call), expected, 'pages()')
    );
  },
};

const form: Task = {
  id: 'fix/form',
  requests: [
    'The page /list/index.html should add the text of its field to its list when "Add" is clicked, and then empty the field. Nothing happens on a click. Find out why, and fix it.',
  ],
  files: {
    '/list/index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Shopping</title>
    <script src="list.js" defer></script>
  </head>
  <body>
    <input id="item" />
    <button id="add">Add</button>
    <ul id="items"></ul>
  </body>
</html>
`,
    '/list/list.js': `const field = document.getElementById('item');
const list = document.getElementById('items');

document.getElementById('add').addEventListener('press', () => {
  const entry = document.createElement('li');
  entry.textContent = field.text;
  list.append(entry);
  field.value = '';
});
`,
  },
  steps: 15,
  minutes: 10,
  async check(result, evaluate) {
    const use = `
      for (const text of ['milk', 'bread']) {
        document.querySelector('input').value = text;
        document.querySelector('button').click();
        await new Promise((resolve) => setTimeout(resolve));
      }
      const entries = [...document.querySelectorAll('ul > li')].map((each) => each.textContent.trim());
      return [entries, document.querySelector('input').value];`;
    return (
      exist(result, form, '/list/index.html') ??
      evaluatesTo(
        await evaluate(result.files, '/list/index.html', use),
        [['milk', 'bread'], ''],
        'List and field after two clicks',
      )
    );
  },
};

export const fixTasks: readonly Task[] = [discount, pages, form];
