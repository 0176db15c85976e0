import { evaluatesTo, exist, failure, hasJson, hasText, matches, planned, textOf } from '../checks.js';
import type { Task } from '../task.js';

const PAGES = ['index.html', 'about.html', 'contact.html'];

const site: Task = {
  id: 'plan/site',
  requests: [
    'Build a small site in /site: the pages index.html, about.html and contact.html, and one style sheet style.css that all three use. Each page has a nav element with links to all three pages, and a first-level heading. First make a plan with at least four tasks, one per file. Mark each task as finished when it is done.',
  ],
  steps: 30,
  minutes: 20,
  async check(result, evaluate) {
    const missing = exist(result, site, '/site/style.css', ...PAGES.map((name) => `/site/${name}`));
    if (missing !== null) return missing;
    const look = `
      const name = (address) => address.split(/[?#]/)[0].split('/').at(-1) || 'index.html';
      const links = [...document.querySelectorAll('nav a[href]')].map((each) => name(each.href));
      const sheets = [...document.querySelectorAll('link[rel~="stylesheet"]')].map((each) => name(each.href));
      return [['index.html', 'about.html', 'contact.html'].every((each) => links.includes(each)), sheets.includes('style.css'), document.querySelectorAll('h1').length > 0];`;
    for (const name of PAGES) {
      const seen = await evaluate(result.files, `/site/${name}`, look);
      const wrong = evaluatesTo(seen, [true, true, true], `Links, style sheet and headings of ${name}`);
      if (wrong !== null) return wrong;
    }
    return planned(result, 4);
  },
};

const costs: Task = {
  id: 'plan/costs',
  requests: [
    'Make a plan of three tasks, then do them, and mark each as finished: 1. Add up /costs.csv by category, and write the sums to /totals.json as an object from category to number. 2. Write the name of the category with the largest sum to /largest.txt, and nothing else. 3. Write /report.md with a first-level heading, the three sums, and the largest category.',
  ],
  files: {
    '/costs.csv': `date,category,amount
2026-01-03,food,40
2026-01-04,travel,75
2026-01-09,food,25
2026-01-11,rent,90
2026-01-20,travel,30
2026-01-22,food,10
`,
  },
  steps: 30,
  minutes: 20,
  check(result) {
    const report = textOf(result.files, '/report.md') ?? '';
    return (
      exist(result, costs, '/totals.json', '/largest.txt', '/report.md') ??
      hasJson(result, '/totals.json', { food: 75, travel: 105, rent: 90 }) ??
      hasText(result, '/largest.txt', 'travel') ??
      matches(report, /^# .+/mu, '/report.md has no first-level heading.') ??
      matches(report, /(?=[^]*\b75\b)(?=[^]*\b105\b)[^]*\b90\b/u, '/report.md does not contain all sums.') ??
      planned(result, 3)
    );
  },
};

/** A step of the work, and the steps before it. */
const NEEDS: Record<string, readonly string[]> = {
  paint: ['plaster', 'wires'],
  roof: ['walls'],
  walls: ['ground'],
  plaster: ['walls', 'wires'],
  wires: ['roof'],
  ground: [],
  move: ['paint', 'floor'],
  floor: ['plaster'],
};

const order: Task = {
  id: 'plan/order',
  requests: [
    '/steps.json lists the steps of building a house, each with the steps that must be done before it. Write all of their names to /order.txt, one per line and nothing else, in an order in which the house can be built.',
  ],
  files: { '/steps.json': `${JSON.stringify(NEEDS, null, 2)}\n` },
  steps: 15,
  minutes: 10,
  check(result) {
    const missing = exist(result, order, '/order.txt');
    if (missing !== null) return missing;
    const names = (textOf(result.files, '/order.txt') ?? '').split('\n').map((line) => line.trim());
    if (names.toSorted().join() !== Object.keys(NEEDS).toSorted().join())
      return failure('not done', `/order.txt must contain each name once: ${names.join(', ')}.`);
    const early = names.find((name, at) => NEEDS[name]?.some((before) => names.indexOf(before) > at));
    return early === undefined ? null : failure('not done', `"${early}" comes before a step that it needs.`);
  },
};

export const planTasks: readonly Task[] = [site, costs, order];
