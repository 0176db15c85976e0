import { evaluatesTo, exist } from '../checks.js';
import type { Task } from '../task.js';

const page: Task = {
  id: 'create/page',
  requests: [
    'Create /index.html: a page with the title "Bird list", one first-level heading with the same text, and one unordered list with exactly these birds in this order: robin, wren, finch.',
  ],
  steps: 12,
  minutes: 10,
  async check(result, evaluate) {
    const look = `
      const texts = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent.trim().toLowerCase());
      return [document.title.trim(), texts('h1'), document.querySelectorAll('ul').length, texts('ul > li')];`;
    const expected = ['Bird list', ['bird list'], 1, ['robin', 'wren', 'finch']];
    return (
      exist(result, page, '/index.html') ??
      evaluatesTo(await evaluate(result.files, '/index.html', look), expected, 'Title, heading and list')
    );
  },
};

const SLUGS = [
  ['Hello, World!', 'hello-world'],
  ['  Ten -- green   bottles ', 'ten-green-bottles'],
  ['a_b.c', 'a-b-c'],
  ['Route 66', 'route-66'],
  ['!!!', ''],
] as const;

const moduleTask: Task = {
  id: 'create/module',
  requests: [
    'Write /slug.js, a JavaScript module (ESM) that exports a function slug(title). It returns the title in lower case, with every run of characters other than a to z and 0 to 9 replaced by one hyphen, and without hyphens at the beginning and end.',
  ],
  steps: 12,
  minutes: 10,
  async check(result, evaluate) {
    const inputs = SLUGS.map(([input]) => input);
    const call = `const { slug } = await import('/slug.js'); return ${JSON.stringify(inputs)}.map((each) => slug(each));`;
    return (
      exist(result, moduleTask, '/slug.js') ??
      evaluatesTo(
        await evaluate(result.files, null, call),
        SLUGS.map(([, output]) => output),
        'slug()',
      )
    );
  },
};

const counter: Task = {
  id: 'create/counter',
  requests: [
    'Create /counter.html, a page that works without other files. It has an element with the id "count" that shows 0 at first, and one button with the text "Add". Each click adds 1 to the shown number. At 5 the button becomes disabled.',
  ],
  steps: 15,
  minutes: 10,
  async check(result, evaluate) {
    const click = `
      const seen = [];
      const button = document.querySelector('button');
      for (let clicks = 0; clicks <= 6; clicks += 1) {
        seen.push([document.querySelector('#count').textContent.trim(), button.disabled]);
        button.click();
        await new Promise((resolve) => setTimeout(resolve));
      }
      return seen;`;
    const expected = ['0', '1', '2', '3', '4', '5', '5'].map((count) => [count, count === '5']);
    return (
      exist(result, counter, '/counter.html') ??
      evaluatesTo(
        await evaluate(result.files, '/counter.html', click),
        expected,
        'Number and disabled by click',
      )
    );
  },
};

export const createTasks: readonly Task[] = [page, moduleTask, counter];
