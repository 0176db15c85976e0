/** Solutions of the tasks that need running programs, and mistakes. */
// cspell:ignore Recipies
import type { Task } from '../../scripts/eval/task.js';
import { codeTasks } from '../../scripts/eval/tasks/code.js';
import { DONE, read, run, write, type Action, type Solution } from './solution.js';

/** Each action in a reply of its own. */
const steps = (...actions: Action[]): Solution => [[...actions.map((action) => [action]), [DONE]]];

const given = (id: string, path: string): string =>
  codeTasks.find((task) => task.id === id)?.files?.[path] ?? '';

const SHIPPING = given('code/test', '/shipping.js')
  .replace('> 1000', '>= 1000')
  .replace('base * 2', 'base + 500');

const DURATION = `export function format(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? \`\${hours}:\${String(minutes).padStart(2, '0')}:\${rest}\` : \`\${minutes}:\${rest}\`;
}
`;
const DURATION_TEST = `import test from 'node:test';
import assert from 'node:assert/strict';
import { format } from './duration.ts';
test('formats', () => assert.deepEqual([65, 3725].map(format), ['1:05', '1:02:05']));
`;

const MONTHS = `import { readFileSync } from 'node:fs';
const sums = new Map();
for (const line of readFileSync(process.argv[2], 'utf8').trim().split('\\n').slice(1)) {
  const [date, , amount] = line.split(',');
  const month = date.slice(0, 7);
  sums.set(month, (sums.get(month) ?? 0) + Math.round(Number(amount) * 100));
}
for (const month of [...sums.keys()].sort()) console.log(month, (sums.get(month) / 100).toFixed(2));
`;

const SALES = `const fs = require('fs');
const sums = {};
for (const line of fs.readFileSync('/sales.csv', 'utf8').trim().split('\\n').slice(1)) {
  const [, region, amount] = line.split(',');
  sums[region] = (sums[region] ?? 0) + Math.round(amount * 100);
}
const [region, cents] = Object.entries(sums).sort(([, a], [, b]) => b - a)[0];
fs.writeFileSync('/answer.json', JSON.stringify({ region, total: cents / 100 }));
`;

const QUERY =
  'SELECT name, SUM(cents) AS paid FROM customers JOIN orders ON customer = customers.id WHERE orders.paid = 1 GROUP BY customers.id ORDER BY paid DESC;\n';

const MEDIANS = `import csv, json
from statistics import median
rows = {}
for row in csv.DictReader(open('/readings.csv')):
    rows.setdefault(row['station'], []).append(float(row['temperature']))
json.dump({name: round(median(found), 3) for name, found in rows.items()}, open('/medians.json', 'w'))
`;

const FIRST = 'git init -q; git add .; git commit -qm "First version"';

export const CODE_SOLUTIONS: Readonly<Record<Task['id'], Solution>> = {
  'code/test': steps(
    run('npm test'),
    read('/shipping.js'),
    write('/shipping.js', SHIPPING),
    run('npm test; ls'),
  ),
  'code/types': steps(
    write('/duration.ts', DURATION),
    write('/duration.test.ts', DURATION_TEST),
    run('node --test'),
  ),
  'code/script': steps(write('/months.mjs', MONTHS), run('node months.mjs sales.csv')),
  'code/sales': steps(
    run('head -n 3 sales.csv'),
    write('/answer.cjs', SALES),
    run('node answer.cjs; cat answer.json'),
  ),
  'code/query': steps(
    write('/query.sql', QUERY),
    run('sqlite3 :memory: ".read schema.sql" ".read rows.sql" ".read query.sql"'),
  ),
  'code/database': steps(
    run(
      'sqlite3 sales.db ".import --csv sales.csv sales"; sqlite3 sales.db "select count(*) from sales where region = \'East\'" > east.txt; cat east.txt',
    ),
  ),
  'code/commit': steps(
    run(FIRST),
    run("sed -i 's/Recipies/Recipes/' README.md; git commit -qam 'Correct the title'; git log --oneline"),
  ),
  'code/merge': steps(
    run('git init -q -b main; git add .; git commit -qm Light; git switch -qc dark'),
    read('/style.css'),
    write('/style.css', 'body {\n  color: white;\n  background: black;\n}\n'),
    run('git commit -qam Dark; git switch -q main; git merge -q dark; git log --oneline'),
  ),
  'code/python': steps(write('/medians.py', MEDIANS), run('python medians.py; cat medians.json')),
  'code/simulation': steps(run('node simulate.mjs 50000 | cut -d" " -f2 > score.txt; cat score.txt')),
};

/** Plausible mistakes, with the cause that the check must name. */
export const CODE_MISTAKES: readonly (readonly [id: Task['id'], cause: string, solution: Solution])[] = [
  ['code/test', 'wrong file', steps(run(`echo "import 'node:test';" > shipping.test.js; npm test`))],
  ['code/test', 'not done', steps(write('/shipping.js', SHIPPING.replace('>=', '>')))],
  [
    'code/types',
    'wrong file',
    steps(write('/duration.js', DURATION.replaceAll(/: (?:number|string)/gu, ''))),
  ],
  [
    'code/types',
    'not done',
    steps(write('/duration.ts', DURATION.replace('hours > 0', 'true')), write('/duration.test.ts', '')),
  ],
  ['code/script', 'not done', steps(write('/months.mjs', MONTHS.replace('.sort()', '')))],
  ['code/sales', 'not done', steps(write('/answer.json', '{"region": "East", "total": 1}'))],
  ['code/query', 'not done', steps(write('/query.sql', QUERY.replace(' WHERE orders.paid = 1', '')))],
  [
    'code/database',
    'not done',
    steps(run('echo 48 > east.txt; sqlite3 sales.db "create table sales(date, region, amount)"')),
  ],
  ['code/commit', 'not done', steps(run(`sed -i 's/Recipies/Recipes/' README.md; ${FIRST}`))],
  [
    'code/merge',
    'not done',
    steps(run("git init -q -b main; git add .; git commit -qm Light; sed -i 's/black/white/' style.css")),
  ],
  ['code/python', 'wrong file', steps(run('python -c "print(1)"; echo "{}" > medians.txt'))],
  [
    'code/python',
    'not done',
    steps(run('cp readings.csv medians.py'), write('/medians.json', '{"S1": 12.3}')),
  ],
  ['code/simulation', 'not done', steps(run('node simulate.mjs 5000 > score.txt'))],
];
