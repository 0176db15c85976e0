import { RoleZeroError } from '../core/error.js';
import { serialQueue } from '../core/serial-queue.js';
import type { RandomState } from '../core/runtime.js';
import { isFull, mayLackSpace, readOnlyForLackOfSpace } from '../core/space.js';
import {
  DERIVED_TABLES,
  type DerivedFile,
  type KeyRange,
  type RecordPlace,
  type SessionPosition,
  type SessionStore,
  type StorageWarning,
  type Table,
  type Write,
} from '../core/store.js';
import { DamagedRecords, type CheckRecord } from './damaged-records.js';
import type { Database, Owner, ReadTransaction, StoredRecord } from './database.js';
import type { JournalFolder, OpenFile } from './journal-folder.js';
import type { SessionJournal } from './journal.js';
import { readJournal, type SessionContent } from './journal-reading.js';
import {
  putAll,
  putShared,
  readAll,
  readSome,
  recordsOf,
  unquotedTexts,
  type FoundRecords,
} from './records.js';
import { purgeWithoutRoom, removeRows } from './full-disk.js';
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
  check: CheckRecord;
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
  readonly #inOrder = serialQueue();
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
  readonly #damage: DamagedRecords;

  /** Without what was claimed, the session is read-only from `row` on: its writer could not be stored for lack of space. */
  constructor(at: SessionPlace, claim: WriterClaim, claimed: Claimed | { row: SessionRow; journal?: never }) {
    const { row, journal = null } = claimed;
    this.#at = at;
    this.#row = row;
    this.#journal = journal;
    this.#claim = claim;
    this.#isReadOnly = !('hasChanged' in claimed);
    this.#damage = new DamagedRecords(
      row.name,
      at,
      () => this.#row,
      () => this.#readReplica(),
    );
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
    const records = await this.#readShared([['shared', shared], table], (transaction, of) =>
      keys === undefined ? readAll(transaction, of) : readSome(transaction, of, keys),
    );
    this.#damage.reportLost(records.filter((record) => this.#isDamaged(record)));
    return keyed(records);
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

  restore(damaged: readonly RecordPlace[]): Promise<boolean> {
    return this.#inOrder(async () => {
      if (this.#isReadOnly || this.#loss !== null) return false;
      return this.#damage.restore(damaged);
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
      const first = await this.#read(find);
      const damaged = [...first.unreadable, ...first.records.filter((record) => this.#isDamaged(record))];
      const isRestored = damaged.length > 0 && (await this.restore(damaged));
      const { records, unreadable } = isRestored ? await this.#read(find) : first;
      if (unreadable[0] !== undefined) throw unreadable[0].error;
      return records;
    });
  }

  #isDamaged({ table, key, value }: Write | StoredRecord): boolean {
    return !DERIVED_TABLES.has(table) && this.#damage.isDamaged({ table, key, value });
  }

  async #read(find: (transaction: ReadTransaction) => Promise<StoredRecord[]>): Promise<FoundRecords> {
    const sweeps = this.#sweeps;
    const { row, ...found } = await this.#at.database.read((transaction) =>
      recordsOf(transaction, this.name, find),
    );
    if (readRow(row)?.id !== this.#row.id) throw this.#gone(); // an emptied database is not an empty session
    if (sweeps === this.#sweeps) for (const [text, key] of found.texts) this.#texts.know(text, key); // else they may be removed
    return found;
  }

  /** Reads the replica; null when it lacks the last commit. */
  async #readReplica(): Promise<SessionContent | null> {
    await this.#journal;
    const { folder } = this.#at;
    const content = folder === undefined ? null : await readJournal(folder);
    const { id, head } = this.#row;
    return content?.row.id === id && content.row.head === head ? content : null;
  }

  #log(writes: readonly Write[], random: RandomState): boolean {
    if (this.#loss !== null) throw this.#loss;
    const stored = this.#texts.quote(writes);
    const row = advanced(this.#row, random, this.#at.now());
    // Removals of derived records count: those must not remain when the parts are stored after a crash.
    const copied = stored.filter(({ table, value }) => !DERIVED_TABLES.has(table) || value === undefined);
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
          return purgeWithoutRoom(error, writes, {
            store,
            remove: () => this.#removeRows(writes),
            journal: this.#journal,
            claim: this.#claim,
          });
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
        ({ table, shared }) => !DERIVED_TABLES.has(table) && shared === undefined,
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
      const reading = transaction.objectStore('sessions').get(mine.name);
      reading.catch(() => undefined); // awaited below
      // Requests run in their order, and a failed check aborts them: waiting for the row first would cost a round trip.
      if (!again) putAll(transaction, next, stored);
      const found = readRow(await reading);
      if (again && found !== null && isSameCommit(found, next)) return []; // the first attempt was written
      checkFence(found, mine);
      if (again) putAll(transaction, next, stored);
      await putShared(transaction, stored);
      if (!sweeps) return [];
      const keys = await unquotedTexts(transaction, mine.name, this.#texts.keys());
      for (const key of keys) await transaction.objectStore('records').delete([mine.name, 'texts', key]);
      return keys;
    });
    this.#unswept = sweeps ? 0 : this.#unswept + added;
    return removed.map((key) => ({ table: 'texts', key, value: undefined }));
  }

  /** While the session is read-only, only removals are possible: they need no space without writing the row. */
  async #removeReadOnly(writes: readonly Write[], purge: boolean): Promise<void> {
    if (!purge || writes.some(isPut)) throw readOnlyForLackOfSpace(this.name);
    await this.#claim.dropReplica();
    await this.#removeRows(writes);
  }

  #removeRows(writes: readonly Write[]): Promise<void> {
    this.#sweeps += 1;
    return removeRows(this.#at.database, this.#row, writes, this.#texts.keys());
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
