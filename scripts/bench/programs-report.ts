import { amount, goalTable, type Goal } from './goal-table.js';

/** The results of `npm run bench:programs`. Times are in ms. */
export interface ProgramTimes {
  machine: string;
  browser: string;
  /** Load average of the machine at the start. */
  load: number;
  rounds: number;
  rows: { name: string; line: string; goal: number | null; first: number | null; warm: number }[];
}

/** The section about programs of the terminal. */
export function programsSection(times: ProgramTimes | null): string[] {
  if (times === null) return [];
  const { machine, browser, load, rounds, rows } = times;
  const goals = rows.flatMap(({ name, goal, warm }): Goal[] =>
    goal === null ? [] : [{ what: `${name}, warm`, value: warm, goal, unit: 'ms', most: true }],
  );
  return [
    '## Programs',
    `By \`npm run bench:programs\`, in ${browser} on ${machine}, load average ${load.toFixed(1)}. Milliseconds of a command line, with its snapshot of the files: the first one loads the runtime from the same machine; a warm one is the median of ${rounds}. The next one begins two seconds later.`,
    goalTable(goals),
    [
      '| | first | warm |',
      '|---|--:|--:|',
      ...rows.map(
        ({ name, first, warm }) => `| ${name} | ${first === null ? '—' : amount(first)} | ${amount(warm)} |`,
      ),
    ].join('\n'),
  ];
}
