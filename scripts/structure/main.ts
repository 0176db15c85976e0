/**
 * Measures the structure of the source, and prints it as the table of `docs/architecture.md`: `npm run structure`. `--names` also
 * lists the names that several modules declare, `--calls` the functions that the step calls; with `--write`, it writes the table into the page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { measureGarbage } from './garbage.js';
import { circles, membersOf, readSources, repeatedNames, withOneImporter } from './sources.js';
import { measureStep, type StepFigures } from './step.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = `${root}docs/architecture.md`;
const [BEGIN, END] = ['<!-- structure -->\n', '<!-- end of structure -->'];

/** One row of the table: what is measured, its value, and the goal. */
export type Row = readonly [what: string, value: number, goal: number];

/** Returns the rows that need no run. */
export function staticRows(): Row[] {
  const sources = readSources(`${root}src`);
  const demo = readSources(`${root}demo`);
  const agent = sources.filter(({ path }) => path.startsWith('agent/'));
  const linesOf = (each: typeof sources): number => each.reduce((sum, { lines }) => sum + lines, 0);
  return [
    ['members of an agent', membersOf(['AgentRuntime', 'Agent'], agent).size, 45],
    ['lines of `src/agent`', linesOf(agent), 8_500],
    [
      'files of `src/agent/runtime`',
      agent.filter(({ path }) => path.startsWith('agent/runtime/')).length,
      25,
    ],
    ['source files', sources.length, 560],
    ['source files with one importer', withOneImporter(sources), 150],
    ['source lines', linesOf(sources), 60_000],
    ['names that several files declare', repeatedNames(sources).length, 200],
    ['circles of imports', circles(sources).length + circles(demo).length, 0],
  ];
}

/** Returns the rows about the measured step. */
export function stepRows({ files, calls, frames }: Omit<StepFigures, 'functions'>): Row[] {
  return [
    ['files that a step with `Editor.write` runs', files, 60],
    ['calls in such a step', calls, 900],
    ['calls on the stack of a command', frames, 12],
  ];
}

/** Returns the row about the loop that stores nothing. */
async function garbageRow(): Promise<Row> {
  return ['kB of garbage of a step that stores nothing', Math.round((await measureGarbage()) / 1_000), 60];
}

/** Returns the table as Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const shown = rows.map(([what, value, goal]) => `| ${what} | ${value} | ${goal} |`);
  return ['| | measured | goal |', '|---|---|---|', ...shown].join('\n');
}

export async function main(args: readonly string[]): Promise<void> {
  const { files, calls, frames, functions } = await measureStep();
  const rows = [...staticRows(), ...stepRows({ files, calls, frames }), await garbageRow()];
  const table = tableOf(rows);
  console.log(table);
  if (args.includes('--names'))
    for (const [name, modules] of repeatedNames(readSources(`${root}src`))) console.log(`${name} ${modules}`);
  if (args.includes('--calls'))
    for (const { calls, module, name } of functions)
      console.log(`${calls} ${module} ${name || '(anonymous)'}`);
  if (!args.includes('--write')) return;
  const page = readFileSync(PAGE, 'utf8');
  const [before = '', rest = ''] = page.split(BEGIN);
  writeFileSync(PAGE, `${before}${BEGIN}${table}\n${END}${rest.split(END)[1] ?? ''}`);
}
