import { RoleZeroError } from '../base/error.js';
import type { RandomState } from '../base/runtime.js';
import {
  DERIVED,
  type KeyRange,
  type SessionPosition,
  type SessionStore,
  type StorageWarning,
  type Table,
  type Write,
} from '../base/store.js';
import type { Database, ReadTransaction, StoredRecord } from './database.js';
import { inOrder } from './in-order.js';
import type { SessionJournal } from './journal.js';
import { putAll, readAll, readSome } from './records.js';
import { sessionFenced, sessionGone, storeClosed } from './session-errors.js';
import type { SessionLock } from './session-lock.js';
import { advanced, checkFence, readRow, type SessionRow } from './session-row.js';
import type { Warnings } from './warnings.js';
import { snapshot } from './writes.js';

/** A session in IndexedDB while this writer holds it. */
export class IndexedDbSession implements SessionStore {
  readonly lost: Promise<void>;
  private readonly inOrder = inOrder();
  private readonly announceLoss: () => void;
  /** Why this writer may write no more. */
  private loss: RoleZeroError | null = null;
  private closing: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    private readonly place: string,
    private readonly lock: SessionLock,
    private row: SessionRow,
    private readonly now: () => number,
    /** Rejects never; null where there is no second copy. */
    private readonly journal: Promise<SessionJournal | null> | null,
    private readonly warnings: Warnings,
  ) {
    let announce = () => {};
    this.lost = new Promise((resolve) => (announce = resolve));
    this.announceLoss = announce;
    const stolen = () => this.lose(sessionFenced(this.name));
    lock.stolen.addEventListener('abort', stolen);
    if (lock.stolen.aborted) stolen();
  }

  get name(): string {
    return this.row.name;
  }

  get epoch(): number {
    return this.row.epoch;
  }

  get position(): SessionPosition {
    return { place: this.place, id: this.row.id, head: this.row.head };
  }

  get random(): RandomState {
    return [...this.row.random];
  }

  load(table: Table, range?: KeyRange, newest?: number): Promise<{ key: string; value: unknown }[]> {
    return this.records((transaction) => readAll(transaction, [this.name, table], range, newest));
  }

  read(table: Table, keys: readonly string[]): Promise<{ key: string; value: unknown }[]> {
    return this.records((transaction) => readSome(transaction, [this.name, table], keys));
  }

  async commit(
    writes: readonly Write[],
    random: RandomState,
    { purge = false }: { purge?: boolean } = {},
  ): Promise<void> {
    if (this.closing !== null) throw storeClosed(this.name);
    const copies = snapshot(writes);
    const goOn: RandomState = [...random];
    return this.inOrder(() => this.write(copies, goOn, purge));
  }

  listen(listener: (warning: StorageWarning) => void): void {
    this.warnings.listen(listener);
  }

  close(): Promise<void> {
    this.closing ??= this.inOrder(async () => {
      await (await this.journal)?.close();
      await this.lock.release();
    });
    return this.closing;
  }

  /** Reads wait for the commits before them, and not for each other. */
  private async records(
    find: (transaction: ReadTransaction) => Promise<StoredRecord[]>,
  ): Promise<{ key: string; value: unknown }[]> {
    if (this.closing !== null) throw storeClosed(this.name);
    return this.inOrder.after(() =>
      this.database.read(async (transaction) => {
        const [row, records] = await Promise.all([
          transaction.objectStore('sessions').get(this.name),
          find(transaction),
        ]);
        if (readRow(row)?.id !== this.row.id) throw sessionGone(this.name); // an emptied database is not an empty session
        return records.map(({ key, value }) => ({ key, value }));
      }),
    );
  }

  private async write(writes: readonly Write[], random: RandomState, purge: boolean): Promise<void> {
    // Only saves a transaction: whoever stole the lock also raised the epoch, and that is what the transaction checks.
    if (this.loss !== null) throw this.loss;
    const mine = this.row;
    const next = advanced(mine, random, this.now());
    const store = (): Promise<void> =>
      this.database.write(async (transaction, again) => {
        const found = readRow(await transaction.objectStore('sessions').get(mine.name));
        if (again && found !== null && isSameCommit(found, next)) return; // the first try had made it to the disk
        checkFence(found, mine);
        putAll(transaction, next, writes);
      });
    try {
      await store().catch((error: unknown) => this.inTheRoomOfTheCopy(error, purge, store));
    } catch (error) {
      if (error instanceof RoleZeroError && error.code === 'session-fenced') this.lose(error);
      throw error;
    }
    this.row = next;
    const copied = writes.filter(({ table }) => !DERIVED.has(table));
    const journal = await this.journal; // what was there before is complete in it
    journal?.append(next, copied, purge);
    if (purge) await journal?.purge();
  }

  /**
   * Where there is no room left, not even what removes something can be stored. A commit after which the second copy is made anew anyway is
   * tried once more without it.
   */
  private async inTheRoomOfTheCopy(
    error: unknown,
    purge: boolean,
    store: () => Promise<void>,
  ): Promise<void> {
    const isFull = error instanceof RoleZeroError && error.code === 'storage-full';
    const journal = await this.journal;
    if (!isFull || !purge || journal === null) throw error;
    await journal.drop();
    try {
      await store();
    } catch (again) {
      await journal.purge();
      throw again;
    }
  }

  private lose(why: RoleZeroError): void {
    if (this.loss !== null) return;
    this.loss = why;
    this.announceLoss();
    // After what is under way: a file that is held open cannot be cleared away by those who come after.
    void this.inOrder(async () => (await this.journal)?.close());
  }
}

function isSameCommit(found: SessionRow, mine: SessionRow): boolean {
  return found.id === mine.id && found.epoch === mine.epoch && found.head === mine.head;
}
