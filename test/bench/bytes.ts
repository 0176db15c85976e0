import { mkdirSync, writeFileSync } from 'node:fs';
import { bytesPerStep, FILE, STEP_KINDS } from './bytes-per-step.js';

interface Kind {
  what: string;
  /** Bytes of the content that a step brings: the files it writes. 0 when it writes none. */
  content: number;
}

const KINDS: Record<keyof typeof STEP_KINDS, Kind> = {
  write: { what: 'writes a new file of 20 kB', content: FILE },
  rewrite: { what: 'replaces a file of 20 kB', content: FILE },
  edit: { what: 'changes a line of a file of 20 kB', content: FILE },
  count: { what: 'calls a tool, after 49 edits of small files', content: 0 },
  three: { what: 'writes three small files in one reply', content: 0 },
};

/** Prints the output of `npm run bench:bytes` and stores it for the table of all benchmarks. */
export async function main(): Promise<number> {
  const rows = [];
  for (const [name, { what, content }] of Object.entries(KINDS)) {
    const { database, replica, commits } = await bytesPerStep(
      STEP_KINDS[name as keyof typeof STEP_KINDS],
      name,
    );
    rows.push({
      'a step that': what,
      database: bytes(database),
      'of the content': content === 0 ? '' : times(database / content),
      replica: bytes(replica),
      'replica, of the content': content === 0 ? '' : times(replica / content),
      'strict commits': Math.round(commits),
    });
  }
  console.table(rows);
  const folder = new URL('../../docs/benchmarks/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL('bytes.json', folder), `${JSON.stringify({ rows }, null, 2)}\n`);
  return 0;
}

function bytes(count: number): string {
  return Math.round(count).toLocaleString('en');
}

function times(ratio: number): string {
  return `${ratio.toFixed(1)} ×`;
}
