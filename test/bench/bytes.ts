import { mkdirSync, writeFileSync } from 'node:fs';
import { bytesPerStep, FILE, STEP_KINDS, STEPS } from './bytes-per-step.js';

interface Kind {
  what: string;
  /** Bytes of the content that a step brings: the files it writes. 0 when it writes none. */
  content: number;
  /** Measured the same way in November 2026, before texts were stored once and a step took one commit. */
  before: { database: number; replica: number; commits: number };
}

const KINDS: Record<keyof typeof STEP_KINDS, Kind> = {
  write: {
    what: 'writes a new file of 20 kB',
    content: FILE,
    before: { database: 204_535, replica: 204_582, commits: 2 },
  },
  rewrite: {
    what: 'replaces a file of 20 kB',
    content: FILE,
    before: { database: 342_145, replica: 677_528, commits: 2 },
  },
  edit: {
    what: 'changes a line of a file of 20 kB',
    content: FILE,
    before: { database: 103_746, replica: 202_809, commits: 2 },
  },
  count: {
    what: 'calls a tool, after 49 edits of small files',
    content: 0,
    before: { database: 48_409, replica: 64_984, commits: 2 },
  },
  three: {
    what: 'writes three small files in one reply',
    content: 0,
    before: { database: 37_600, replica: 58_008, commits: 4 },
  },
};

/** Prints the output of `npm run bench:bytes` and stores it for the table of all benchmarks. */
export async function main(): Promise<number> {
  const rows = [];
  const disk = [];
  for (const [name, { what, content, before }] of Object.entries(KINDS)) {
    const { database, replica, commits, stored } = await bytesPerStep(
      STEP_KINDS[name as keyof typeof STEP_KINDS],
      name,
    );
    rows.push({
      'a step that': what,
      'database, before': bytes(before.database),
      database: bytes(database),
      'of the content': content === 0 ? '' : times(database / content),
      'replica, before': bytes(before.replica),
      replica: bytes(replica),
      'replica, of the content': content === 0 ? '' : times(replica / content),
      'strict commits, before': before.commits,
      'strict commits': Math.round(commits),
    });
    if (content === 0) continue;
    const written = STEPS * content;
    const both = stored.database + stored.replica;
    disk.push({
      [`${STEPS} steps, each of which`]: what,
      'files written': bytes(written),
      database: bytes(stored.database),
      'database, of the files': times(stored.database / written),
      replica: bytes(stored.replica),
      'database and replica, of the files': times(both / written),
    });
  }
  console.table(rows);
  console.table(disk);
  const folder = new URL('../../docs/benchmarks/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL('bytes.json', folder), `${JSON.stringify({ rows, disk }, null, 2)}\n`);
  return 0;
}

function bytes(count: number): string {
  return Math.round(count).toLocaleString('en');
}

function times(ratio: number): string {
  return `${ratio.toFixed(1)} ×`;
}
