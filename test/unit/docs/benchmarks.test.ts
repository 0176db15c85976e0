import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { goalTable } from '../../../scripts/bench/goal-table.js';
import { programsSection } from '../../../scripts/bench/programs-report.js';
import { reportOf, type Elsewhere, type Measured } from '../../../scripts/bench/report.js';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const figures = (name: string): unknown => JSON.parse(read(`docs/benchmarks/${name}.json`));

const names = ['memory', 'recall', 'gpu', 'files', 'bytes', 'prompt', 'sizes'];
/** Measured later than the others; without its figures, the page has no section about it. */
const programs = existsSync(new URL('../../../docs/benchmarks/programs.json', import.meta.url))
  ? figures('programs')
  : null;
const sessions = existsSync(new URL('../../../docs/benchmarks/sessions.json', import.meta.url))
  ? figures('sessions')
  : null;
const elsewhere = {
  ...Object.fromEntries(names.map((name) => [name, figures(name)] as const)),
  programs,
  sessions,
} as unknown as Elsewhere;

it('shows the stored figures on the benchmark page', () => {
  expect(read('docs/benchmarks.md')).toBe(reportOf(figures('run') as Measured, elsewhere));
});

it('shows former figures and ranges beside goals, and the distance from a missed goal', () => {
  const goal = { what: 'a query', goal: 3, unit: 'ms', most: true };
  const table = goalTable([
    { ...goal, value: 2.5, before: 6.11 },
    { ...goal, value: 4.5, before: [860, 1_610] },
    { ...goal, value: null },
    { ...goal, value: 2, most: false },
  ]);
  expect(table.split('\n').slice(2)).toEqual([
    '| a query | ≤ 3 ms | 6.11 ms | 2.5 ms | yes |',
    '| a query | ≤ 3 ms | 860–1,610 ms | 4.5 ms | 1.5 × away |',
    '| a query | ≤ 3 ms | — | not measured | |',
    '| a query | ≥ 3 ms | — | 2 ms | 1.5 × away |',
  ]);
  expect(goalTable([{ ...goal, value: 2 }])).toBe(
    '| | goal | measured | met |\n|---|--:|--:|---|\n| a query | ≤ 3 ms | 2 ms | yes |',
  );
});

it('shows the first and the warm time of programs, and their goals', () => {
  const rows = [
    { name: 'Python, `print`', line: 'python', goal: 100, first: 4_210, warm: 61.25 },
    { name: 'git', line: 'git', goal: null, first: 300, warm: 20 },
  ];
  const [, , goals, times] = programsSection({ machine: 'm', browser: 'b', load: 1, rounds: 5, rows });
  expect(goals?.split('\n').slice(2)).toEqual(['| Python, `print`, warm | ≤ 100 ms | 61.3 ms | yes |']);
  expect(times?.split('\n').slice(2)).toEqual(['| Python, `print` | 4,210 | 61.3 |', '| git | 300 | 20 |']);
});
