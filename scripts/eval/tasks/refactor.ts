import { codeOnly, evaluatesTo, exist, failure } from '../checks.js';
import type { Failure, Result, Task } from '../task.js';

const FORMAT = `function euros(cents) {
  return (cents / 100).toFixed(2) + ' €';
}
`;
const shared: Task = {
  id: 'refactor/shared',
  requests: [
    '/bill.js and /offer.js both contain the function euros(). Move it to a new module /euros.js that exports it, and import it from there in both. What they return must not change.',
  ],
  files: {
    '/bill.js': `${FORMAT}
export function bill(cents) {
  return 'To pay: ' + euros(cents);
}
`,
    '/offer.js': `${FORMAT}
export function offer(name, cents) {
  return name + ' for only ' + euros(cents);
}
`,
  },
  steps: 20,
  minutes: 15,
  async check(result, evaluate) {
    const call = `
      const [{ euros }, { bill }, { offer }] = await Promise.all(['/euros.js', '/bill.js', '/offer.js'].map((each) => import(each)));
      return [euros(5), bill(1250), offer('Tea', 99)];`;
    return (
      exist(result, shared, '/euros.js', '/bill.js', '/offer.js') ??
      withoutWord(result, ['/bill.js', '/offer.js'], /\btoFixed\b/u, 'still contains the function itself') ??
      evaluatesTo(
        await evaluate(result.files, null, call),
        ['0.05 €', 'To pay: 12.50 €', 'Tea for only 0.99 €'],
        'euros(), bill(), offer()',
      )
    );
  },
};

const rename: Task = {
  id: 'refactor/rename',
  requests: [
    'Rename the function calc of /price.js to totalPrice, also where it is used in /order.js and /test.js. Nothing else changes.',
  ],
  files: {
    '/price.js': `export function calc(count, price) {
  return count * price;
}

export const calculator = 'simple';
`,
    '/order.js': `import { calc } from './price.js';

export const order = (lines) => lines.reduce((sum, { count, price }) => sum + calc(count, price), 0);
`,
    '/test.js': `import { calc } from './price.js';

export const works = () => calc(2, 3) === 6 && calc(0, 9) === 0;
`,
  },
  steps: 20,
  minutes: 15,
  async check(result, evaluate) {
    const call = `
      const [price, { order }, { works }] = await Promise.all(['/price.js', '/order.js', '/test.js'].map((each) => import(each)));
      return [Object.keys(price).sort(), price.totalPrice(2, 4), order([{ count: 2, price: 5 }, { count: 1, price: 1 }]), works()];`;
    return (
      exist(result, rename, '/price.js', '/order.js', '/test.js') ??
      withoutWord(
        result,
        ['/price.js', '/order.js', '/test.js'],
        /\bcalc\b/u,
        'still contains the name calc',
      ) ??
      evaluatesTo(
        await evaluate(result.files, null, call),
        [['calculator', 'totalPrice'], 8, 11, true],
        'The exports, totalPrice(), order() and works()',
      )
    );
  },
};

const table: Task = {
  id: 'refactor/table',
  requests: [
    'Rewrite shipping() in /shipping.js so that it looks the price up in an object or a Map. No if, else or switch may remain in the file. It must return the same as before for every input.',
  ],
  files: {
    '/shipping.js': `export function shipping(country) {
  if (country === 'DE') {
    return 490;
  } else if (country === 'FR' || country === 'BE') {
    return 790;
  } else if (country === 'US') {
    return 1990;
  } else {
    return 2490;
  }
}
`,
  },
  steps: 12,
  minutes: 10,
  async check(result, evaluate) {
    const call = `
      const { shipping } = await import('/shipping.js');
      return ['DE', 'FR', 'BE', 'US', 'JP', '', undefined].map((each) => shipping(each));`;
    return (
      exist(result, table, '/shipping.js') ??
      withoutWord(result, ['/shipping.js'], /\b(?:if|else|switch)\b/u, 'still contains if, else or switch') ??
      evaluatesTo(
        await evaluate(result.files, null, call),
        [490, 790, 790, 1990, 2490, 2490, 2490],
        'shipping()',
      )
    );
  },
};

/** Requires that the code of files does not contain a word. */
function withoutWord({ files }: Result, paths: string[], word: RegExp, what: string): Failure | null {
  const found = paths.find((path) => word.test(codeOnly(files[path] ?? '')));
  return found === undefined ? null : failure('not done', `${found} ${what}.`);
}

export const refactorTasks: readonly Task[] = [shared, rename, table];
