// cspell:ignore Recipies
import { exist, hasJson, hasText, printed, unchanged } from '../checks.js';
import type { Task } from '../task.js';
import {
  medians,
  READINGS_CSV,
  SALES_CSV,
  SHOP_ROWS,
  SHOP_SQL,
  SIMULATION,
  scoreAfter,
  sums,
} from './code-data.js';

const LIMITS = { steps: 15, minutes: 10 } as const;

const test: Task = {
  id: 'code/test',
  requests: ['`npm test` fails. Find out why, and correct the code. The tests are right.'],
  files: {
    '/package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
    '/shipping.js': `export function shipping(grams, isExpress) {
  const base = grams > 1000 ? 690 : 390;
  return isExpress ? base * 2 : base;
}
`,
    '/shipping.test.js': `import test from 'node:test';
import assert from 'node:assert';
import { shipping } from './shipping.js';

test('light parcels', () => assert.equal(shipping(999, false), 390));
test('one kilogram is heavy', () => assert.equal(shipping(1000, false), 690));
test('express costs 500 more', () => assert.equal(shipping(2000, true), 1190));
`,
  },
  probe:
    'npm test > /dev/null; echo $?; node -e "import(\'/shipping.js\').then(({ shipping }) => console.log(shipping(1, true), shipping(1000, true), shipping(5000, false)))"',
  ...LIMITS,
  check: (result) =>
    unchanged(result, test, '/shipping.test.js', '/package.json') ?? printed(result, '0\n890 1190 690'),
};

const types: Task = {
  id: 'code/types',
  requests: [
    'Write /duration.ts in TypeScript with an exported function format(seconds: number): string, such as format(3725) === "1:02:05" and format(65) === "1:05", and /duration.test.ts with tests for node:test. Run them.',
  ],
  probe:
    'node --test > /dev/null; echo $?; node -e "import(\'/duration.ts\').then(({ format }) => console.log(format(3725), format(65), format(9), format(36000)))"',
  ...LIMITS,
  check: (result) =>
    exist(result, types, '/duration.ts', '/duration.test.ts') ??
    printed(result, '0\n1:02:05 1:05 0:09 10:00:00'),
};

const script: Task = {
  id: 'code/script',
  requests: [
    'Write /months.mjs. `node months.mjs FILE` reads a CSV file like /sales.csv and prints the total amount of each month, one a line in the order of the months, such as: 2025-01 1234.50. Try it with /sales.csv.',
  ],
  files: { '/sales.csv': SALES_CSV },
  probe: `printf 'date,region,amount\\n2024-11-30,North,10.10\\n2024-02-01,East,0.20\\n2024-11-02,West,5.05\\n2024-02-28,East,1.00\\n' > /other.csv; node /months.mjs /other.csv; node /months.mjs /sales.csv | head -n 1`,
  ...LIMITS,
  check: (result) =>
    exist(result, script, '/months.mjs') ??
    printed(result, `2024-02 1.20\n2024-11 15.15\n2025-01 ${inUnits(monthSums().get('2025-01') ?? 0)}`),
};

const sales: Task = {
  id: 'code/sales',
  requests: [
    'Which region in /sales.csv sold most? Write /answer.json with its name as "region" and its total as "total", a number with two decimals. Do not guess: compute it with a program.',
  ],
  files: { '/sales.csv': SALES_CSV },
  probe: 'true',
  ...LIMITS,
  check(result) {
    const [[region, cents] = ['', 0]] = [...sums((sale) => sale.region)].sort(([, a], [, b]) => b - a);
    return (
      exist(result, sales, '/answer.json') ??
      unchanged(result, sales, '/sales.csv') ??
      hasJson(result, '/answer.json', { region, total: cents / 100 })
    );
  },
};

const query: Task = {
  id: 'code/query',
  requests: [
    'Write /query.sql for SQLite: a query that lists the name of each customer with the sum of paid orders in cents as "paid", the highest first, without customers who have paid nothing. /schema.sql has the tables, and /rows.sql has examples; try the query with them.',
  ],
  files: { '/schema.sql': SHOP_SQL, '/rows.sql': SHOP_ROWS },
  probe: `sqlite3 -json :memory: '.read /schema.sql' '.read /rows.sql' '.read /query.sql'; sqlite3 :memory: '.read /schema.sql' "insert into customers values (1, 'Eve'), (2, 'Fay'), (3, 'Gus'); insert into orders values (1, 2, 10, 1), (2, 3, 5, 0), (3, 1, 4, 1), (4, 1, 4, 1)" '.read /query.sql'`,
  ...LIMITS,
  check: (result) =>
    exist(result, query, '/query.sql') ??
    printed(
      result,
      '[{"name":"Bea","paid":1200},\n{"name":"Cem","paid":1000},\n{"name":"Ada","paid":500}]\nFay|10\nEve|8',
    ),
};

const database: Task = {
  id: 'code/database',
  requests: [
    'Import /sales.csv into the SQLite database /sales.db, as a table "sales" with the columns date, region and amount. Then write /east.txt with the number of rows of the region East.',
  ],
  files: { '/sales.csv': SALES_CSV },
  probe: `sqlite3 /sales.db "select count(*), min(date), round(sum(cast(amount as real)), 2) from sales"`,
  ...LIMITS,
  check(result) {
    const all = [...sums(({ date }) => date)];
    const first = all.map(([date]) => date).sort()[0] ?? '';
    const total = all.reduce((sum, [, cents]) => sum + cents, 0) / 100;
    const rows = SALES_CSV.split('\n').filter((line) => line.includes(',East,')).length;
    return (
      exist(result, database, '/sales.db', '/east.txt') ??
      hasText(result, '/east.txt', String(rows)) ??
      printed(result, `240|${first}|${total}`)
    );
  },
};

const commit: Task = {
  id: 'code/commit',
  requests: [
    'Make / a git repository, and commit both files with the message "First version". Then correct the spelling mistake in /README.md, and commit that with the message "Correct the title".',
  ],
  files: { '/README.md': '# Recipies\n\nSoups and bread.\n', '/soup.md': '# Soup\n\nBoil water.\n' },
  probe:
    'cd /; git log --format=%s; git status --short; git show HEAD~1:README.md | head -n 1; cat README.md',
  ...LIMITS,
  check: (result) =>
    unchanged(result, commit, '/soup.md') ??
    printed(result, 'Correct the title\nFirst version\n# Recipies\n# Recipes\n\nSoups and bread.'),
};

const merge: Task = {
  id: 'code/merge',
  requests: [
    'Make / a git repository with the branch main, and commit /style.css. Create the branch "dark" from it, change the color to white and the background to black there, and commit. Then merge "dark" into main.',
  ],
  files: { '/style.css': 'body {\n  color: black;\n  background: white;\n}\n' },
  probe:
    "cd /; git branch --show-current; git log --format=%s main | wc -l | tr -d ' '; git diff main dark; git status --short; git show main:style.css | tr -d ' \\n'",
  ...LIMITS,
  check(result) {
    const expected = /^main\n[23]\nbody\{color:white;background(?:-color)?:black;?\}$/u;
    return expected.test(result.printed)
      ? null
      : printed(result, 'main\n2\nbody{color:white;background:black;}');
  },
};

const python: Task = {
  id: 'code/python',
  requests: [
    'Use Python: write /medians.json with the median temperature of each station in /readings.csv, such as {"S1": 12.3}. Keep the program as /medians.py.',
  ],
  files: { '/readings.csv': READINGS_CSV },
  probe: `printf 'station,temperature\\nB,1.0\\nA,3.0\\nB,2.0\\nA,-1.5\\nA,4.0\\n' > /readings.csv; python /medians.py > /dev/null && python -c "import json; print(json.dumps(json.load(open('/medians.json')), sort_keys=True))"`,
  ...LIMITS,
  check: (result) =>
    exist(result, python, '/medians.json', '/medians.py') ??
    hasJson(result, '/medians.json', medians()) ??
    printed(result, '{"A": 3.0, "B": 1.5}'),
};

const simulation: Task = {
  id: 'code/simulation',
  requests: ['Run /simulate.mjs with 50000 rounds, and write the score that it prints to /score.txt.'],
  files: { '/simulate.mjs': SIMULATION },
  probe: 'node /simulate.mjs 10',
  ...LIMITS,
  check(result) {
    const score = result.files['/score.txt']?.trim().replace(/^score /u, '');
    const read = {
      ...result,
      files: { ...result.files, ...(score !== undefined && { '/score.txt': score }) },
    };
    return (
      exist(result, simulation, '/score.txt') ??
      unchanged(result, simulation, '/simulate.mjs') ??
      hasText(read, '/score.txt', String(scoreAfter(50_000)))
    );
  },
};

/** Cents as an amount with two decimals. */
function inUnits(cents: number): string {
  return (cents / 100).toFixed(2);
}

function monthSums(): Map<string, number> {
  return sums(({ date }) => date.slice(0, 7));
}

export const codeTasks: readonly Task[] = [
  test,
  types,
  script,
  sales,
  query,
  database,
  commit,
  merge,
  python,
  simulation,
];
