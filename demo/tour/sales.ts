/** The table of the recorded analysis, and the programs that the run writes. */

export const SALES_CSV = `month,region,amount
Jan,North,1840
Jan,South,"1,210"
Jan,West,960
Feb,North,1720
Feb,South,1340
Feb,West,1015
Mar,North,"2,065"
Mar,South,1455
Mar,West,1130
Apr,North,1990
Apr,South,1610
Apr,West,1245
May,North,2210
May,South,"1,780"
May,West,1385
Jun,North,2340
Jun,South,1925
Jun,West,1490
`;

export const TABLE_JS = `// Reads the table, and adds up the amounts of each region.
import { readFileSync } from 'node:fs';

export function rows(path) {
  const [head, ...lines] = readFileSync(path, 'utf8').trim().split('\\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = cellsOf(line);
    return Object.fromEntries(names.map((name, at) => [name, cells[at]]));
  });
}

export function totals(table) {
  const sums = {};
  for (const { region, amount } of table) sums[region] = (sums[region] ?? 0) + Number(amount);
  return sums;
}

function cellsOf(line) {
  return line.split(',');
}
`;

export const WRONG_CELLS = `  return line.split(',');`;
export const RIGHT_CELLS = `  // A quoted cell may have commas in it, as in "1,210".
  return line.match(/"[^"]*"|[^,]+/g).map((cell) => (cell.startsWith('"') ? cell.replace(/[",]/g, '') : cell));`;

export const TABLE_TEST_JS = `import assert from 'node:assert/strict';
import test from 'node:test';
import { rows, totals } from './table.js';

const table = rows('/sales.csv');

test('every row has an amount', () => {
  assert.equal(table.length, 18);
  for (const row of table) assert.match(row.amount, /^\\d+$/, JSON.stringify(row));
});

test('the totals of the regions add up to that of the months', () => {
  const byMonth = totals(table.map(({ month, amount }) => ({ region: month, amount })));
  const sum = (sums) => Object.values(sums).reduce((one, other) => one + other, 0);
  assert.equal(sum(totals(table)), sum(byMonth));
});
`;

export const PLOT_JS = `// Prints the totals, and draws a line for each region into sales.svg.
import { writeFileSync } from 'node:fs';
import { rows, totals } from './table.js';

const COLORS = { North: '#4353c4', South: '#c2571a', West: '#1d7f5f' };
const [LEFT, TOP, WIDTH, HEIGHT, MOST] = [60, 70, 560, 280, 2500];

const table = rows('/sales.csv');
const months = [...new Set(table.map(({ month }) => month))];
const x = (month) => LEFT + (months.indexOf(month) * WIDTH) / (months.length - 1);
const y = (amount) => TOP + HEIGHT - (amount * HEIGHT) / MOST;

const grid = [0, 500, 1000, 1500, 2000, 2500].map(
  (amount) =>
    \`<line x1="\${LEFT}" x2="\${LEFT + WIDTH}" y1="\${y(amount)}" y2="\${y(amount)}" stroke="#dfe2ea"/>
  <text x="\${LEFT - 10}" y="\${y(amount) + 4}" text-anchor="end">\${amount}</text>\`,
);
const names = months.map(
  (month) => \`<text x="\${x(month)}" y="\${TOP + HEIGHT + 24}" text-anchor="middle">\${month}</text>\`,
);
const lines = Object.entries(COLORS).map(([region, color]) => {
  const own = table.filter((row) => row.region === region);
  const points = own.map(({ month, amount }) => x(month) + ',' + y(Number(amount)));
  const dots = points.map((point) => {
    const [cx, cy] = point.split(',');
    return \`<circle cx="\${cx}" cy="\${cy}" r="4" fill="\${color}"/>\`;
  });
  const end = y(Number(own.at(-1).amount)) + 4;
  return \`<polyline points="\${points.join(' ')}" fill="none" stroke="\${color}" stroke-width="3"/>
  \${dots.join('')}
  <text x="\${LEFT + WIDTH + 12}" y="\${end}" fill="\${color}" font-weight="700">\${region}</text>\`;
});

writeFileSync(
  '/sales.svg',
  \`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 400" font-family="system-ui, sans-serif" font-size="13" fill="#4b5162">
  <rect width="700" height="400" fill="white"/>
  <text x="\${LEFT}" y="36" font-size="20" font-weight="700" fill="#22252e">Sales by region, January to June</text>
  \${[...grid, ...names, ...lines].join('\\n  ')}
</svg>
\`,
);

for (const [region, sum] of Object.entries(totals(table)).sort((one, other) => other[1] - one[1]))
  console.log(region.padEnd(6), String(sum).padStart(6));
`;
