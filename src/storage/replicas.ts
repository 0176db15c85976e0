import { describeAsSentence } from '../core/error.js';
import type { Connection, Database, WriteTransaction } from './database.js';
import { SessionJournal } from './journal.js';
import { readJournal, tailOf, type OpenedReplica, type SessionContent } from './journal-reading.js';
import type { Journals } from './opfs-journals.js';
import { intactRow, putAll, readInPieces } from './records.js';
import { sessionBusy } from './session-errors.js';
import { readFiles } from './sealed-file.js';
import { lacks, type SessionRow } from './session-row.js';
import { storageError } from './storage-error.js';
import type { Warnings } from './warnings.js';

/** Milliseconds between attempts to remove a file that another worker has open. */
const LOOK_AGAIN = 50;

/** The replicas of the sessions of one database: found, restored into the database, continued, and removed. */
export class Replicas {
  readonly #journals: Journals | null;
  readonly #database: Database;
  readonly #warnings: Warnings;
  /** A browser without files was reported, which is done once. */
  #hasReported = false;

  /** `journals` is null where no replicas are wanted. */
  constructor(journals: Journals | null, database: Database, warnings: Warnings) {
    this.#journals = journals;
    this.#database = database;
    this.#warnings = warnings;
  }

  /** Opens the root of all replicas ahead of their use. Never throws. */
  prepare(): void {
    this.#journals?.prepare();
  }

  /** Returns the replica of a session, and creates it when it is new. Returns null, and warns, when there cannot be one. */
  async find(name: string): Promise<OpenedReplica | null> {
    if (this.#journals === null) return null;
    try {
      const folder = await this.#journals.folder(name, { create: true });
      if (folder === null) {
        this.#reportMissing(name);
        return null;
      }
      return await readFiles(folder, async (names) => ({
        session: name,
        folder,
        names,
        tail: await tailOf(folder, names),
        recovered: null,
      }));
    } catch (error) {
      this.#fault(name, error);
      return null;
    }
  }

  /** Continues a replica under its new writer; returns null, and warns, when that fails. */
  async continue(copy: OpenedReplica, row: SessionRow): Promise<SessionJournal | null> {
    try {
      return await SessionJournal.open(
        copy.folder,
        copy,
        row,
        (take, store) => readInPieces(this.#database, row.name, take, store),
        (error) => this.#fault(row.name, error),
      );
    } catch (error) {
      this.#fault(row.name, error);
      return null;
    }
  }

  /** Restores data missing from the database from the replica; returns null, and warns, when the replica is unusable. */
  async restore(copy: OpenedReplica): Promise<OpenedReplica | null> {
    try {
      const content = await readJournal(copy.folder);
      if (content !== null)
        await this.#database.write(
          (transaction) => this.#bringBack(transaction, content),
          content.writes.length,
        );
      return copy;
    } catch (error) {
      this.#fault(copy.session, error);
      return null;
    }
  }

  /** Called when the database was just created: existing replicas are all that is left of an earlier one. */
  async restoreAll(connection: Connection): Promise<void> {
    const folders = await this.#journals?.folders().catch(() => []); // each session reports it when it is opened
    for (const folder of folders ?? []) {
      const content = await readJournal(folder).catch(() => null);
      if (content === null) continue;
      const transaction = connection.transaction(['sessions', 'records'], 'readwrite', {
        durability: 'strict',
      });
      await this.#bringBack(transaction, content);
      await transaction.done;
    }
  }

  async #bringBack(transaction: WriteTransaction, { row, writes }: SessionContent): Promise<void> {
    const found = await intactRow(transaction, row.name);
    if (!lacks(found, row)) return; // another tab restored it first
    await transaction.objectStore('records').delete(IDBKeyRange.bound([row.name], [row.name, []]));
    putAll(transaction, row, writes);
    const commits = row.head - (found?.head ?? 0);
    this.#warnings.tell(row.name, {
      code: 'storage-restored',
      message: `The browser lost ${found === null ? 'all' : `the newest ${commits} changes`} of session '${row.name}'. It was restored from its replica, as of ${new Date(row.updatedAt).toISOString()}.`,
      detail: { session: row.name, commits, found: found?.head ?? 0, updatedAt: row.updatedAt },
    });
  }

  #reportMissing(name: string): void {
    // The warning `insecure-context` has reported it for every page without a secure context.
    const isKnown = 'isSecureContext' in globalThis && !isSecureContext;
    if (this.#hasReported || isKnown) return;
    this.#hasReported = true;
    this.#warnings.tell(name, {
      code: 'storage-copy',
      message: `This browser gives workers no files, so session '${name}' has no replica: a reload or a crash loses nothing, but a lost database does. Export the session to have another copy.`,
      detail: { session: name },
    });
  }

  #fault(name: string, error: unknown): void {
    this.#warnings.tell(name, {
      code: 'storage-copy',
      message: `The replica of session '${name}' cannot be written: ${describeAsSentence(error)} The session itself is not affected; export it to have another copy.`,
      detail: { session: name },
    });
  }
}

/**
 * Removes the replica of a session. Waits until a writer that lost the session has noticed it and closed the files. Where the browser
 * denies access to its files there is no replica.
 */
export async function removeReplica(journals: Journals | null, name: string, waitMs: number): Promise<void> {
  const until = performance.now() + waitMs;
  for (;;) {
    try {
      await journals?.remove(name);
      return;
    } catch (error) {
      const kind = error instanceof DOMException ? error.name : '';
      if (kind === 'SecurityError' || kind === 'NotAllowedError') return;
      if (kind !== 'NoModificationAllowedError') throw storageError(error, 'use');
      if (performance.now() >= until) throw sessionBusy(name);
    }
    await new Promise((next) => setTimeout(next, LOOK_AGAIN));
  }
}
