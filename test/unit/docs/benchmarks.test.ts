import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { goalTable } from '../../../scripts/bench/goal-table.js';
import { reportOf, type Elsewhere, type Measured } from '../../../scripts/bench/report.js';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const figures = (name: string): unknown => JSON.parse(read(`docs/benchmarks/${name}.json`));

const names = ['memory', 'recall', 'gpu', 'files', 'bytes', 'prompt', 'sizes'];
const elsewhere = Object.fromEntries(
  names.map((name) => [name, figures(name)] as const),
) as unknown as Elsewhere;

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
});
