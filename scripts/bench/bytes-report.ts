import { amount, goalTable, type Goal } from './goal-table.js';

/** The results of `npm run bench:bytes`. */
export interface BytesResult {
  /** Bytes of the file that a step writes. */
  file: number;
  /** Number of steps of a whole job. */
  steps: number;
  /** By name of the kind of step; see `KINDS`. */
  kinds: Record<string, KindBytes>;
  /** What a long job with small files occupies after numbers of steps. */
  long?: { steps: number; database: number; replica: number }[];
}

/** Bytes and strict commits per step, and the bytes that a whole job leaves. */
interface KindBytes {
  database: number;
  replica: number;
  commits: number;
  stored: { database: number; replica: number };
}

interface Kind {
  what: string;
  /** True when the step writes a file of `BytesResult.file` bytes. */
  writesFile: boolean;
  /** The same measurement on 2026-11-23, before texts were stored once and a step took one commit. */
  before: Omit<KindBytes, 'stored'>;
}

const KINDS: Record<string, Kind> = {
  write: {
    what: 'writes a new file of 20 kB',
    writesFile: true,
    before: { database: 204_535, replica: 204_582, commits: 2 },
  },
  rewrite: {
    what: 'replaces a file of 20 kB',
    writesFile: true,
    before: { database: 342_145, replica: 677_528, commits: 2 },
  },
  edit: {
    what: 'changes a line of a file of 20 kB',
    writesFile: true,
    before: { database: 103_746, replica: 202_809, commits: 2 },
  },
  // Before: on 2026-11-27, when each version of a file was stored as a whole.
  editSmall: {
    what: 'changes a line of a file of 2 kB',
    writesFile: false,
    before: { database: 13_921, replica: 15_833, commits: 1 },
  },
  editLarge: {
    what: 'changes a line of a file of 200 kB',
    writesFile: false,
    before: { database: 216_934, replica: 218_851, commits: 1 },
  },
  count: {
    what: 'calls a tool, after 49 edits of small files',
    writesFile: false,
    before: { database: 48_409, replica: 64_984, commits: 2 },
  },
  three: {
    what: 'writes three small files in one reply',
    writesFile: false,
    before: { database: 37_600, replica: 58_008, commits: 4 },
  },
};

/** Bytes of the replica of the long job on 2026-11-28, before its files were compressed, by number of steps. */
const LONG_BEFORE: Record<number, number> = { 1_000: 12_070_486, 2_000: 26_480_163, 5_000: 54_869_759 };

/** Goals, relative to the files that a step or a job writes. */
const GOALS = { database: 4, replica: 3, job: 3 };
/** Goals of a change of one line, in bytes of database and replica together. */
const EDIT_GOALS: Record<string, number> = { editSmall: 10_000, editLarge: 40_000 };
/** The space that a browser took on 2026-11-23 for a job that writes 60 new files, of 7.2 MB in all. */
const JOB_BEFORE: Record<string, Goal['before']> = { write: [5.6, 7] };

/** The section of `docs/benchmarks.md` about bytes. */
export function bytesSection(result: BytesResult | null): string[] {
  if (result === null) return ['## Bytes', 'Not measured here yet: `npm run bench:bytes`.'];
  const kinds = Object.entries(KINDS).flatMap(([name, kind]) => {
    const measured = result.kinds[name];
    return measured === undefined ? [] : [{ name, ...kind, ...measured }];
  });
  const ofFiles = kinds.filter(({ writesFile }) => writesFile);
  const { file, steps } = result;
  const perStep = (part: 'database' | 'replica') =>
    ofFiles.map(({ what, before, ...measured }): Goal => ({
      what: `${part}, a step that ${what}`,
      value: measured[part] / file,
      goal: GOALS[part],
      unit: '×',
      most: true,
      before: before[part] / file,
    }));
  const jobs = ofFiles.map(({ name, what, stored }): Goal => ({
    what: `database, ${steps} steps, each of which ${what}`,
    value: stored.database / (steps * file),
    goal: GOALS.job,
    unit: '×',
    most: true,
    before: JOB_BEFORE[name],
  }));
  const edits = kinds.flatMap(({ name, what, before, database, replica }): Goal[] => {
    const goal = EDIT_GOALS[name];
    if (goal === undefined) return [];
    return [
      {
        what: `database and replica, a step that ${what}`,
        value: (database + replica) / 1_000,
        goal: goal / 1_000,
        unit: 'kB',
        most: true,
        before: (before.database + before.replica) / 1_000,
      },
    ];
  });
  return [
    '## Bytes',
    'By `npm run bench:bytes`: the bytes of rows and of the replica that a role with the Editor stores, relative to the files that it writes.',
    goalTable([...perStep('database'), ...perStep('replica'), ...jobs, ...edits]),
    `The former text of a replaced file remains, for undo. The figure before for ${steps} steps is the space that a browser took. It also contained the index of the database and removed rows. Why a goal is missed: a step that calls a tool and changes no file takes 10 kB already, see below. These are the state of the role, its messages, the record of the step, and their texts, in database and replica.`,
    'Bytes that a step writes, without the compressed files that replace files of the replica behind it:',
    [
      '| a step that | database, before | database | replica, before | replica | strict commits, before | strict commits |',
      '|---|--:|--:|--:|--:|--:|--:|',
      ...kinds.map(({ what, before, database, replica, commits }) =>
        row(what, before.database, database, before.replica, replica, before.commits, commits),
      ),
    ].join('\n'),
    `Bytes that ${steps} steps leave:`,
    [
      '| steps, each of which | files written | database | replica | database and replica, of the files |',
      '|---|--:|--:|--:|--:|',
      ...ofFiles.map(({ what, stored }) => {
        const written = steps * file;
        const both = (stored.database + stored.replica) / written;
        return `${row(what, written, stored.database, stored.replica)} ${amount(both)} × |`;
      }),
    ].join('\n'),
    ...longSection(result.long ?? []),
  ];
}

function longSection(long: NonNullable<BytesResult['long']>): string[] {
  if (long.length === 0) return [];
  return [
    'Bytes that a long job leaves, whose steps write a file of 2 kB, change a line of it, and read it, in turns. Rows of the database are counted as JSON, which a browser compresses.',
    [
      '| steps | database | replica, before | replica | replica, of the database |',
      '|--:|--:|--:|--:|--:|',
      ...long.map(({ steps, database, replica }) => {
        const before = LONG_BEFORE[steps];
        return `${row(amount(steps), database, before ?? NaN, replica)} ${amount(replica / database)} × |`;
      }),
    ].join('\n'),
  ];
}

function row(what: string, ...figures: number[]): string {
  return `| ${what} | ${figures.map((figure) => amount(figure)).join(' | ')} |`;
}
