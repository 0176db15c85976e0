import { RoleZeroError } from '../core/error.js';
import { inOrder } from '../core/in-order.js';
import type { RandomState } from '../core/runtime.js';
import { isFull, mayLackSpace, readOnlyForLackOfSpace } from '../core/storage-full.js';
import {
  DERIVED,
  type DerivedFile,
  type KeyRange,
  type SessionPosition,
  type SessionStore,
  type StorageWarning,
  type Table,
  type Write,
} from '../core/store.js';
import type { Database, Owner, ReadTransaction, StoredRecord } from './database.js';
import type { JournalFolder, OpenFile } from './journal-folder.js';
import type { SessionJournal } from './journal.js';
import { putAll, putShared, readAll, readSome, unquotedTexts, withTexts } from './records.js';
import { sessionCleared, sessionFenced, sessionGone, storeClosed } from './session-errors.js';
import type { SessionLock } from './session-lock.js';
import { advanced, checkFence, isSameCommit, readRow, type SessionRow } from './session-row.js';
import { RecentTexts, type StoredWrite } from './texts.js';
import type { Warnings } from './warnings.js';
import type { Claimed, WriterClaim } from './writer-claim.js';
import { isPut, newestOf, snapshot } from './writes.js';

/** Where a session is stored, and the lock on it. */
export interface SessionPlace {
  database: Database;
  /** Name of the database. */
  place: string;
  lock: SessionLock;
  warnings: Warnings;
  now: () => number;
  /** Of the replica. */
  folder: JournalFolder | undefined;
}

/** Unquoted texts are removed after commits have stored this many UTF-16 units of texts, */
const SWEEP_FROM = 4_000_000;
/** and by the first commit of every such writer: its predecessors may have stored less. */
const SWEEP_EVERY = 16;

/** A session in IndexedDB, owned by this writer. */
export class IndexedDbSession implements SessionStore {
  readonly #at: SessionPlace;
  #row: SessionRow;
  /** Never rejects; null where there is no replica. */
  #journal: Promise<SessionJournal | null> | null;
  readonly #claim: WriterClaim;
  /** There was no space to store this writer. */
  #isReadOnly: boolean;
  readonly lost: Promise<RoleZeroError | void>;
  readonly #inOrder = inOrder();
  readonly #announceLoss: (why: RoleZeroError | void) => void;
  /** The reason why this writer can no longer write. */
  #loss: RoleZeroError | null = null;
  #closing: Promise<void> | null = null;
  #stopListening = (): void => {};
  readonly #stopWatching: () => void;
  #texts: RecentTexts;
  /** Length of the texts stored since unquoted ones were removed. */
  #unswept: number;
  /** Number of commits that removed unquoted texts. */
  #sweeps = 0;
  /** What is only in the log; the next commit stores it. */
  #logged: { writes: readonly StoredWrite[]; random: RandomState } | null = null;
  /** The replica, once it is ready. */
  #openJournal: SessionJournal | null = null;
  readonly #files: Record<string, OpenFile | undefined> = {};

  /** Without what was claimed, the session is read-only from `row` on: its writer could not be stored for lack of space. */
  constructor(at: SessionPlace, claim: WriterClaim, claimed: Claimed | { row: SessionRow; journal?: never }) {
    const { row, journal = null } = claimed;
    this.#at = at;
    this.#row = row;
    this.#journal = journal;
    this.#claim = claim;
    this.#isReadOnly = !('hasChanged' in claimed);
    void journal?.then((opened) => (this.#openJournal = opened));
    this.#texts = new RecentTexts(row.epoch);
    this.#unswept = row.epoch % SWEEP_EVERY === 0 ? SWEEP_FROM : 0;

    let announce: (why: RoleZeroError | void) => void = () => {};
    this.lost = new Promise((resolve) => (announce = resolve));
    this.#announceLoss = announce;
    this.#stopWatching = at.database.onClosed(() => void this.#checkStored());
    const stolen = () => this.#lose(sessionFenced(this.name));
    const { lock } = at;
    lock.stolen.addEventListener('abort', stolen);
    if (lock.stolen.aborted) stolen();
  }

  get name(): string {
    return this.#row.name;
  }

  get epoch(): number {
    return this.#row.epoch;
  }

  get position(): SessionPosition {
    return { place: this.#at.place, id: this.#row.id, head: this.#row.head };
  }

  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  get random(): RandomState {
    return [...(this.#logged?.random ?? this.#row.random)];
  }

  async load(table: Table, range?: KeyRange, newest?: number): Promise<{ key: string; value: unknown }[]> {
    return keyed(
      await this.#records((transaction) => readAll(transaction, [this.name, table], range, newest)),
    );
  }

  async loadAll(tables: readonly Table[]): Promise<{ key: string; value: unknown }[][]> {
    const records = await this.#records(async (transaction) => {
      const found = await Promise.all(tables.map((table) => readAll(transaction, [this.name, table])));
      return found.flat();
    });
    const byTable = new Map(tables.map((table): [Table, Write[]] => [table, []]));
    for (const record of records) byTable.get(record.table)?.push(record);
    return tables.map((table) => keyed(byTable.get(table) ?? []));
  }

  async read(table: Table, keys: readonly string[]): Promise<{ key: string; value: unknown }[]> {
    const wanted = new Set(keys);
    const isLogged = this.#logged?.writes.some((write) => write.table === table && wanted.has(write.key));
    return keyed(
      await this.#records((transaction) => readSome(transaction, [this.name, table], keys), isLogged),
    );
  }

  async loadShared(
    shared: string,
    table: Table,
    keys?: readonly string[],
  ): Promise<{ key: string; value: unknown }[]> {
    return this.#readShared([['shared', shared], table], async (transaction, of) =>
      keyed(keys === undefined ? await readAll(transaction, of) : await readSome(transaction, of, keys)),
    );
  }

  async sharedKeys(shared: string, table: Table): Promise<string[]> {
    return this.#readShared([['shared', shared], table], async (transaction, of) => {
      const keys = await transaction.objectStore('records').getAllKeys(IDBKeyRange.bound(of, [...of, []]));
      return keys.map(([, , key]) => key);
    });
  }

  async commit(
    writes: readonly Write[],
    random: RandomState,
    { purge = false }: { purge?: boolean } = {},
  ): Promise<void> {
    if (this.#closing !== null) throw storeClosed(this.name);
    const copies = snapshot(writes);
    const goOn: RandomState = [...random];
    return this.#inOrder(() => this.#write(copies, goOn, purge));
  }

  async log(writes: readonly Write[], random: RandomState): Promise<boolean> {
    if (this.#closing !== null) throw storeClosed(this.name);
    // A commit does not wait for the replica, either. Before the first one, parts would belong to nothing.
    if (this.#openJournal === null || this.#row.head === 0) return false;
    const copies = snapshot(writes);
    const goOn: RandomState = [...random];
    return this.#inOrder(async () => this.#log(copies, goOn));
  }

  async openFile(name: string): Promise<DerivedFile | null> {
    const file = (this.#files[name] ??= await this.#at.folder?.openFile?.(name));
    if ((this.#closing ?? this.#loss) !== null) file?.close();
    return file ?? null;
  }

  /** See `SessionStore.becomeWritable`. */
  becomeWritable(): Promise<boolean> {
    return this.#inOrder(async () => {
      if (!this.#isReadOnly) return false;
      if (this.#loss !== null) throw this.#loss;
      const claimed = await this.#claim.claim().catch((error: unknown) => {
        throw isFull(error) ? readOnlyForLackOfSpace(this.name, error) : error;
      });
      this.#isReadOnly = false;
      this.#row = claimed.row;
      this.#texts = new RecentTexts(claimed.row.epoch);
      this.#journal = claimed.journal;
      void claimed.journal?.then((opened) => (this.#openJournal = opened));
      return claimed.hasChanged;
    });
  }

  settle({ discard = false }: { discard?: boolean } = {}): Promise<void> {
    return this.#inOrder(() => this.#settle(discard));
  }

  listen(listener: (warning: StorageWarning) => void): void {
    this.#stopListening();
    this.#stopListening = this.#at.warnings.listen(this.name, listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#inOrder(async () => {
      await this.#settle(false).catch(() => undefined); // the log still has it
      await this.#closeFiles();
      await this.#at.lock.release();
    }).finally(() => {
      this.#stopWatching();
      this.#stopListening();
    }); // the storage outlives its sessions and must not retain them
    return this.#closing;
  }

  async #readShared<Found>(
    of: [owner: Owner, table: string],
    find: (transaction: ReadTransaction, of: [owner: Owner, table: string]) => Promise<Found>,
  ): Promise<Found> {
    if (this.#closing !== null) throw storeClosed(this.name);
    return this.#inOrder.after(() => this.#at.database.read((transaction) => find(transaction, of)));
  }

  /** Reads wait for earlier commits, but not for each other. `mayBeLogged`: some of the records may only be in the log. */
  async #records(
    find: (transaction: ReadTransaction) => Promise<StoredRecord[]>,
    mayBeLogged = true,
  ): Promise<Write[]> {
    if (this.#closing !== null) throw storeClosed(this.name);
    // What is only in the log would be missing. If it cannot be stored, the last commit is what is read.
    if (mayBeLogged && this.#logged !== null) await this.settle().catch(() => undefined);
    return this.#inOrder.after(async () => {
      if (this.#row.head === 0) return []; // a session has no records before its first commit, so a new one needs no lookup
      return this.#at.database.read(async (transaction) => {
        const [row, records] = await Promise.all([
          transaction.objectStore('sessions').get(this.name),
          find(transaction),
        ]);
        if (readRow(row)?.id !== this.#row.id) throw this.#gone(); // an emptied database is not an empty session
        const sweeps = this.#sweeps;
        return withTexts(transaction, this.name, records, (text, key) => {
          if (sweeps === this.#sweeps) this.#texts.know(text, key); // else it may be removed
        });
      });
    });
  }

  #log(writes: readonly Write[], random: RandomState): boolean {
    if (this.#loss !== null) throw this.#loss;
    const stored = this.#texts.quote(writes);
    const row = advanced(this.#row, random, this.#at.now());
    // Removals of derived records count: those must not remain when the parts are stored after a crash.
    const copied = stored.filter(({ table, value }) => !DERIVED.has(table) || value === undefined);
    if (this.#openJournal?.log(row, copied) !== true) {
      this.#texts.clear();
      return false;
    }
    this.#logged = { writes: [...(this.#logged?.writes ?? []), ...stored], random };
    return true;
  }

  async #settle(discard: boolean): Promise<void> {
    const logged = this.#logged;
    if (logged === null) return;
    try {
      await this.#write([], logged.random, false);
    } catch (error) {
      if (!discard) throw error;
      this.#logged = null;
      this.#openJournal?.discard();
    }
  }

  async #write(writes: readonly Write[], random: RandomState, purge: boolean): Promise<void> {
    // Only saves a transaction: whoever stole the lock also raised the epoch, which the transaction checks.
    if (this.#loss !== null) throw this.#loss;
    if (this.#isReadOnly) {
      await this.#removeReadOnly(writes, purge);
      return;
    }
    if (purge) this.#texts.clear(); // removed data must not remain among the texts that may still be quoted
    const next = advanced(this.#row, random, this.#at.now());
    const stored = this.#texts.quote(writes);
    const all = newestOf([...(this.#logged?.writes ?? []), ...stored]);
    let swept: readonly StoredWrite[] = [];
    const store = async (): Promise<void> => void (swept = await this.#store(next, all, purge));
    let isCommit: boolean;
    try {
      isCommit = await store().then(
        () => true,
        (error: unknown) => {
          if (!purge || !mayLackSpace(error)) throw error;
          return this.#storeWithoutRoom(error, writes, store);
        },
      );
    } catch (error) {
      this.#texts.clear(); // some are not stored
      if (!(error instanceof RoleZeroError) || error.code !== 'session-fenced') throw error;
      const why = error.detail['gone'] === true ? this.#gone() : error;
      this.#lose(why);
      throw why;
    }
    const journal = await this.#journal; // includes everything that was there before
    if (isCommit) {
      this.#row = next;
      this.#logged = null;
      const copied = [...stored, ...swept].filter(
        ({ table, shared }) => !DERIVED.has(table) && shared === undefined,
      );
      journal?.append(next, copied, purge, (text) => this.#texts.find(text));
    } else this.#texts.clear();
    if (purge) await journal?.purge();
  }

  /** Stores a commit. Returns the removals of texts that are no longer quoted, which are part of it now and then. */
  async #store(next: SessionRow, stored: readonly StoredWrite[], purge: boolean): Promise<StoredWrite[]> {
    const mine = this.#row;
    const added = stored.reduce(
      (sum, { table, value }) => sum + (table === 'texts' ? String(value).length : 0),
      0,
    );
    const sweeps = purge || this.#unswept + added >= SWEEP_FROM;
    if (sweeps) this.#sweeps += 1;
    const removed = await this.#at.database.write(async (transaction, again) => {
      const found = readRow(await transaction.objectStore('sessions').get(mine.name));
      if (again && found !== null && isSameCommit(found, next)) return []; // the first attempt was written
      checkFence(found, mine);
      putAll(transaction, next, stored);
      await putShared(transaction, stored);
      if (!sweeps) return [];
      const keys = await unquotedTexts(transaction, mine.name, this.#texts.keys());
      for (const key of keys) await transaction.objectStore('records').delete([mine.name, 'texts', key]);
      return keys;
    });
    this.#unswept = sweeps ? 0 : this.#unswept + added;
    return removed.map((key) => ({ table: 'texts', key, value: undefined }));
  }

  /**
   * Handles a purge on a full disk. There, not even a removal can be stored, because it also writes the session's row. First drops the
   * replica, which the purge rebuilds anyway, and retries. Then, if `writes` only contains removals, runs them without writing the row,
   * which needs no space; that does not count as a commit. Returns whether a commit was stored.
   */
  async #storeWithoutRoom(
    full: unknown,
    writes: readonly Write[],
    store: () => Promise<void>,
  ): Promise<boolean> {
    const journal = await this.#journal;
    await journal?.drop();
    await this.#claim.dropReplica(); // also when it could not be opened
    try {
      if (await stored(store)) return true;
      if (writes.some(isPut)) throw full;
      await this.#removeRows(writes);
      return false;
    } catch (error) {
      await journal?.purge();
      throw error;
    }
  }

  /** While the session is read-only, only removals are possible: they need no space without writing the row. */
  async #removeReadOnly(writes: readonly Write[], purge: boolean): Promise<void> {
    if (!purge || writes.some(isPut)) throw readOnlyForLackOfSpace(this.name);
    await this.#claim.dropReplica();
    await this.#removeRows(writes);
  }

  /** Removes records, and the texts that nothing quotes any more, without a commit. */
  async #removeRows(writes: readonly Write[]): Promise<void> {
    const mine = this.#row;
    this.#sweeps += 1;
    await this.#at.database.write(async (transaction) => {
      checkFence(readRow(await transaction.objectStore('sessions').get(mine.name)), mine);
      const records = transaction.objectStore('records');
      for (const { table, key, shared } of writes)
        await records.delete([shared === undefined ? mine.name : ['shared', shared], table, key]);
      const unquoted = await unquotedTexts(transaction, mine.name, this.#texts.keys());
      for (const key of unquoted) await records.delete([mine.name, 'texts', key]);
    });
  }

  /** Notices at once when the browser has deleted the session, also while nothing is read or written. */
  async #checkStored(): Promise<void> {
    if (this.#row.head === 0) return; // nothing was stored
    await this.#inOrder(async () => {
      const found = await this.#at.database.read((transaction) =>
        transaction.objectStore('sessions').get(this.name),
      );
      if (readRow(found)?.id !== this.#row.id) this.#lose(this.#gone());
    }).catch(() => undefined); // the next use reports it
  }

  /** Why the session is no longer stored. No other writer can remove it while this one has its lock. */
  #gone(): RoleZeroError {
    const { lock } = this.#at;
    return lock.isExclusive && !lock.stolen.aborted ? sessionCleared(this.name) : sessionGone(this.name);
  }

  #lose(why: RoleZeroError): void {
    if (this.#loss !== null) return;
    this.#loss = why;
    const isCleared = why.code === 'storage-lost';
    this.#announceLoss(isCleared ? why : undefined);
    // Runs after pending writes: later owners cannot remove a file that is held open.
    void this.#inOrder(async () => {
      await this.#closeFiles();
      if (isCleared) await this.#at.lock.release(); // a new connection begins an empty session
    });
  }

  async #closeFiles(): Promise<void> {
    for (const file of Object.values(this.#files)) file?.close();
    await (await this.#journal)?.close();
  }
}

function keyed(records: readonly Write[]): { key: string; value: unknown }[] {
  return records.map(({ key, value }) => ({ key, value }));
}

/** Returns false when there was no space for it. */
async function stored(store: () => Promise<void>): Promise<boolean> {
  try {
    await store();
    return true;
  } catch (error) {
    if (mayLackSpace(error)) return false;
    throw error;
  }
}
