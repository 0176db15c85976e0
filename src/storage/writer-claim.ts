import type { SessionPosition } from '../core/store.js';
import { sessionStores, type Database, type WriteTransaction } from './database.js';
import type { JournalEntry } from './journal-entry.js';
import { isUpToDate, type OpenedReplica } from './journal-reading.js';
import type { SessionJournal } from './journal.js';
import { intactRow, putAll, storedRow } from './records.js';
import type { Replicas } from './replicas.js';
import { removeFiles } from './sealed-file.js';
import { sessionFenced, sessionLost } from './session-errors.js';
import { lacks, newRow, type SessionRow } from './session-row.js';
import type { StoredWrite } from './texts.js';
import type { Warnings } from './warnings.js';

/** What the next writer of a session starts from. */
export interface Claimed {
  row: SessionRow;
  /** Never rejects; null where there is no replica. */
  journal: Promise<SessionJournal | null> | null;
  /** What a crashed writer had only logged was stored: records read before are out of date. */
  hasChanged: boolean;
}

interface Raised {
  row: SessionRow;
  recovered: readonly StoredWrite[] | null;
  /** Number of commits before. */
  head: number;
  id: string | undefined;
}

/** Makes a session that is locked by this writer its own, which needs some space. Can be tried again. */
export class WriterClaim {
  readonly #name: string;
  readonly #database: Database;
  readonly #replicas: Replicas;
  readonly #warnings: Warnings;
  readonly #stolen: AbortSignal;
  readonly #known: SessionPosition | undefined;
  readonly #now: () => number;
  #copy: OpenedReplica | null;
  /** The files of the replica were removed, so it has to be rebuilt. */
  #isDropped = false;

  constructor(
    name: string,
    { database, replicas, warnings }: { database: Database; replicas: Replicas; warnings: Warnings },
    writer: { stolen: AbortSignal; known: SessionPosition | undefined; now: () => number },
    copy: OpenedReplica | null,
  ) {
    this.#name = name;
    this.#database = database;
    this.#replicas = replicas;
    this.#warnings = warnings;
    this.#stolen = writer.stolen;
    this.#known = writer.known;
    this.#now = writer.now;
    this.#copy = copy;
  }

  /**
   * Stores the next epoch before anything is written under it, also after a rollback of the database. When the replica has more commits
   * than the database, they are restored first. The replica is never ahead otherwise, because a commit is appended to it after it is
   * stored.
   *
   * @throws RoleZeroError `storage-full` when there is no space for it: nothing has changed then.
   */
  async claim(): Promise<Claimed> {
    for (let copy = this.#copy, isRestored = false; ; isRestored = true) {
      const raised = await this.#raiseEpoch(copy?.tail ?? null, isRestored);
      if (raised === null) {
        copy = copy && (await this.#replicas.restore(copy));
        continue;
      }
      this.#warnOfRollBack(raised);
      const { row, recovered } = raised;
      const used = copy && { ...copy, tail: this.#isDropped ? null : copy.tail, recovered };
      const journal = used && this.#replicas.continue(used, row);
      // A replica with data that must be removed is rebuilt before the session is used. For one that only grows, only the writer waits.
      if (used?.tail && !isUpToDate(used.tail, row, recovered)) await journal;
      return { row, journal, hasChanged: recovered !== null };
    }
  }

  /** Returns the stored row when the whole session can be read without a claim; null when parts of it are only in the replica. */
  async readable(): Promise<SessionRow | null> {
    const stored = await this.#database.read((transaction) => storedRow(transaction, this.#name));
    const tail = this.#copy?.tail ?? null;
    return stored === null || (tail !== null && lacks(stored, lastCommitOf(tail))) ? null : stored;
  }

  /** Removes the files of the replica: what is removed from the session must not remain there. The next claim rebuilds it. */
  async dropReplica(): Promise<void> {
    const copy = this.#copy;
    if (copy === null) return;
    this.#isDropped = true;
    await removeFiles(copy.folder, await copy.folder.names());
    const { tail } = copy;
    this.#copy = { ...copy, names: [], tail: tail?.isPending === true ? tail : null };
  }

  /**
   * Stores what a crashed writer had only logged as well, strictly. An epoch alone need not be on disk before the first commit, which is
   * strict and later in the same log: after a power cut, the next writer takes a higher one than that of the replica. Returns null, and
   * writes nothing, when the database lacks commits that `tail` has and that have not been restored yet.
   */
  #raiseEpoch(tail: JournalEntry | null, isRestored: boolean): Promise<Raised | null> {
    const durability = tail?.isPending === true ? 'strict' : 'relaxed';
    const raise = async (transaction: WriteTransaction): Promise<Raised | null> => {
      const canRestore = tail !== null && !isRestored;
      const stored = await (canRestore ? intactRow : storedRow)(transaction, this.#name);
      if (canRestore && lacks(stored, lastCommitOf(tail))) return null;
      const known = this.#known;
      if (stored === null && known !== undefined && known.head > 0) throw sessionLost(this.#name, known.head);
      const found = stored ?? newRow(this.#name, this.#now());
      // When two writers take over at the same time, the slower one must not fence off the current owner of the lock.
      if (this.#stolen.aborted) throw sessionFenced(this.#name);
      const epoch = Math.max(found.epoch, tail?.row.epoch ?? 0) + 1;
      const before = { head: found.head, id: stored?.id };
      if (tail !== null && isNextCommit(stored, tail)) {
        const row = { ...tail.row, epoch };
        putAll(transaction, row, tail.writes);
        return { row, recovered: tail.writes, ...before };
      }
      const row = { ...found, epoch };
      await transaction.objectStore('sessions').put(row);
      return { row, recovered: null, ...before };
    };
    return this.#database.write(raise, 0, sessionStores, durability);
  }

  #warnOfRollBack({ head, id }: Raised): void {
    const known = this.#known;
    if (known === undefined || known.id !== id || head >= known.head) return;
    const lost = known.head - head;
    this.#warnings.tell(this.#name, {
      code: 'storage-rolled-back',
      message: `The browser lost the newest ${lost} changes of session '${this.#name}', and no copy of them exists. The session continues from the stored state.`,
      detail: { session: this.#name, lost },
    });
  }
}

/** Returns the position of the last commit of a replica that ends with `tail`. Parts come before their commit. */
function lastCommitOf({ row, isPending }: JournalEntry): SessionRow {
  return isPending === true ? { ...row, head: row.head - 1 } : row;
}

/**
 * Returns whether `tail` consists of parts of the commit after the stored ones, by the last writer. A restored session has the epoch of its
 * last commit, which may be that of an earlier writer.
 */
function isNextCommit(stored: SessionRow | null, { row, isPending }: JournalEntry): boolean {
  const isNext = stored?.id === row.id && stored.head === row.head - 1 && stored.epoch <= row.epoch;
  return isPending === true && isNext;
}
