import { mayLackSpace } from '../core/space.js';
import type { Write } from '../core/store.js';
import type { Database } from './database.js';
import type { SessionJournal } from './journal.js';
import { unquotedTexts } from './records.js';
import { checkFence, readRow, type SessionRow } from './session-row.js';
import type { WriterClaim } from './writer-claim.js';
import { isPut } from './writes.js';

interface Purge {
  /** Stores the commit. */
  store: () => Promise<void>;
  /** Removes the records without a commit. */
  remove: () => Promise<void>;
  journal: Promise<SessionJournal | null> | null;
  claim: WriterClaim;
}

/**
 * Handles a purge on a full disk. There, not even a removal can be stored, because it also writes the session's row. First drops the
 * replica, which the purge rebuilds anyway, and retries. Then, if `writes` only contains removals, runs them without writing the row,
 * which needs no space; that does not count as a commit. Returns whether a commit was stored.
 *
 * @throws `full` when there is no space for the writes.
 */
export async function purgeWithoutRoom(
  full: unknown,
  writes: readonly Write[],
  { store, remove, journal: opening, claim }: Purge,
): Promise<boolean> {
  const journal = await opening;
  await journal?.drop();
  await claim.dropReplica(); // also when it could not be opened
  try {
    if (await hasRoomFor(store)) return true;
    if (writes.some(isPut)) throw full;
    await remove();
    return false;
  } catch (error) {
    await journal?.purge();
    throw error;
  }
}

/** Removes records, and the texts that nothing quotes any more except `needed` ones, without a commit. */
export async function removeRows(
  database: Database,
  mine: SessionRow,
  writes: readonly Write[],
  needed: ReadonlySet<string>,
): Promise<void> {
  await database.write(async (transaction) => {
    checkFence(readRow(await transaction.objectStore('sessions').get(mine.name)), mine);
    const records = transaction.objectStore('records');
    for (const { table, key, shared } of writes)
      await records.delete([shared === undefined ? mine.name : ['shared', shared], table, key]);
    const unquoted = await unquotedTexts(transaction, mine.name, needed);
    for (const key of unquoted) await records.delete([mine.name, 'texts', key]);
  });
}

async function hasRoomFor(store: () => Promise<void>): Promise<boolean> {
  try {
    await store();
    return true;
  } catch (error) {
    if (mayLackSpace(error)) return false;
    throw error;
  }
}
