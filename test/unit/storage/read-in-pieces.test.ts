import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import { Database } from '../../../src/storage/database.js';
import { putAll, readInPieces } from '../../../src/storage/records.js';
import { newRow } from '../../../src/storage/session-row.js';
import { put } from '../../contracts/records.js';

const ROW = newRow('s', 0);

async function stored(name: string, length: number, count: number): Promise<Database> {
  const database = new Database(name, 5_000, 30_000, async () => {});
  const records = Array.from({ length: count }, (_, number) =>
    put('files', `/${String(number).padStart(3, '0')}`, 'x'.repeat(length)),
  );
  await database.write(async (transaction) => putAll(transaction, ROW, [...records, put('roles', 'a', 1)]));
  return database;
}

it('lets commits in while it reads a long session, and returns the row of the last part', async () => {
  const database = await stored('pieces-long', 100_000, 60);
  let committed = 0;
  const commits: Promise<void>[] = [];
  const seen: [piece: number, commits: number][] = [];
  const keys: string[] = [];
  const row = await readInPieces(database, 's', (records, piece) => {
    seen.push([piece, committed]);
    for (const { key } of records) keys.push(key);
    const head = commits.length + 1;
    const write = database.write(async (transaction) => putAll(transaction, { ...ROW, head }, []));
    commits.push(write.then(() => void (committed = head)));
    return JSON.stringify(records).length;
  });
  expect(keys).toHaveLength(61);
  expect(new Set(keys).size).toBe(61);
  expect(seen.at(-1)?.[1]).toBeGreaterThan(0); // commits have ended before the last piece
  expect(row.head).toBeGreaterThan(0);
  await Promise.all(commits);
});

it('reads a short session at one moment', async () => {
  const database = await stored('pieces-short', 1_000, 60);
  const commits: Promise<void>[] = [];
  const row = await readInPieces(database, 's', (records) => {
    const head = commits.length + 1;
    commits.push(database.write(async (transaction) => putAll(transaction, { ...ROW, head }, [])));
    return JSON.stringify(records).length;
  });
  expect(row.head).toBe(0);
  await Promise.all(commits);
});

it('reports a session that does not exist', async () => {
  const database = await stored('pieces-none', 1, 1);
  await expect(readInPieces(database, 'other', () => 0)).rejects.toMatchObject({ code: 'not-found' });
});
