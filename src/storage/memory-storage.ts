import type { RandomState } from '../core/runtime.js';
import {
  NOT_EXPORTED,
  type KeyRange,
  type SessionExport,
  type SessionInfo,
  type SessionStore,
  type Storage,
  type Table,
  type Write,
} from '../core/store.js';
import { readDocument, restoredRow, writeDocument, type SessionRecord } from './session-document.js';
import { checkSessionName, nameTaken, noSuchSession, sessionBusy, storeClosed } from './session-errors.js';
import { advanced, checkFence, infoOf, newRow, type SessionRow } from './session-row.js';
import { snapshot } from './writes.js';

export interface MemoryStorageOptions {
  /** The clock of `createdAt` and `updatedAt`. Default `Date.now`. */
  now?: () => number;
}

/**
 * Stores sessions in plain Maps: for tests, for Node, and for pages that need no persistence. Rules and errors are the same as on disk
 * (copies in and out, one writer, fencing, atomic commits), but nothing is durable. The cost of a commit depends only on what it writes.
 */
export function memoryStorage(options: MemoryStorageOptions = {}): Storage {
  return new MemoryStorage(options.now ?? Date.now);
}

/** Records by table and key. */
type Tables = Map<Table, Map<string, unknown>>;

/** The current state of one session. */
interface Shelf {
  row: SessionRow;
  readonly tables: Tables;
  holder: MemorySession | null;
}

class MemoryStorage implements Storage {
  readonly #now: () => number;
  readonly #shelves = new Map<string, Shelf>();
  /** Records that sessions share, by the name under which they do. */
  readonly #shared = new Map<string, Tables>();

  constructor(now: () => number) {
    this.#now = now;
  }

  async open(name: string, options: { takeOver?: boolean } = {}): Promise<SessionStore> {
    checkSessionName(name);
    const shelf = this.#shelves.get(name) ?? {
      row: newRow(name, this.#now()),
      tables: new Map(),
      holder: null,
    };
    if (shelf.holder !== null) {
      if (options.takeOver !== true) throw sessionBusy(name);
      shelf.holder.lose();
    }
    shelf.row = { ...shelf.row, epoch: shelf.row.epoch + 1 };
    shelf.holder = new MemorySession(shelf, this.#shared, this.#now);
    this.#shelves.set(name, shelf);
    return shelf.holder;
  }

  async list(): Promise<SessionInfo[]> {
    return sorted(this.#shelves).map(([, shelf]) => infoOf(shelf.row));
  }

  async remove(name: string): Promise<void> {
    if (this.#shelves.get(checkSessionName(name))?.holder) throw sessionBusy(name);
    this.#shelves.delete(name);
  }

  async removeShared(shared: string): Promise<void> {
    this.#shared.delete(shared);
  }

  async export(name: string): Promise<SessionExport> {
    const shelf = this.#shelves.get(checkSessionName(name));
    if (shelf === undefined) throw noSuchSession(name);
    return writeDocument(shelf.row, shelfRecords(shelf));
  }

  async import(document: unknown, name?: string, check?: (record: Write) => void): Promise<SessionInfo> {
    const content = readDocument(document, check);
    const target = checkSessionName(name ?? content.name);
    if (this.#shelves.has(target)) throw nameTaken(target);
    const shelf: Shelf = {
      row: restoredRow(content, target, this.#now()),
      tables: new Map(),
      holder: null,
    };
    for (const record of content.records) putRecord(shelf.tables, record);
    this.#shelves.set(target, shelf);
    return infoOf(shelf.row);
  }
}

class MemorySession implements SessionStore {
  readonly #shelf: Shelf;
  readonly #shared: Map<string, Tables>;
  readonly #now: () => number;
  readonly lost: Promise<void>;
  readonly lose: () => void;
  #row: SessionRow;
  #closed = false;

  constructor(shelf: Shelf, shared: Map<string, Tables>, now: () => number) {
    this.#shelf = shelf;
    this.#shared = shared;
    this.#now = now;

    this.#row = shelf.row;
    let lose = () => {};
    this.lost = new Promise((resolve) => (lose = resolve));
    this.lose = lose;
  }

  get name(): string {
    return this.#row.name;
  }

  get epoch(): number {
    return this.#row.epoch;
  }

  get random(): RandomState {
    return [...this.#row.random];
  }

  async load(table: Table, range?: KeyRange, newest?: number): Promise<{ key: string; value: unknown }[]> {
    if (this.#closed) throw storeClosed(this.name);
    const records = sorted(this.#shelf.tables.get(table) ?? new Map<string, unknown>());
    const wanted =
      range === undefined ? records : records.filter(([key]) => key >= range.from && key < range.before);
    const taken = newest === undefined ? wanted : newest < 1 ? [] : wanted.slice(-newest);
    return taken.map(([key, value]) => ({ key, value: structuredClone(value) }));
  }

  async read(table: Table, keys: readonly string[]): Promise<{ key: string; value: unknown }[]> {
    if (this.#closed) throw storeClosed(this.name);
    const records = this.#shelf.tables.get(table);
    return keys
      .filter((key) => records?.has(key))
      .map((key) => ({ key, value: structuredClone(records?.get(key)) }));
  }

  async loadShared(
    shared: string,
    table: Table,
    keys?: readonly string[],
  ): Promise<{ key: string; value: unknown }[]> {
    const wanted = keys ?? (await this.sharedKeys(shared, table));
    const records = this.#shared.get(shared)?.get(table);
    return wanted
      .filter((key) => records?.has(key))
      .map((key) => ({ key, value: structuredClone(records?.get(key)) }));
  }

  async sharedKeys(shared: string, table: Table): Promise<string[]> {
    if (this.#closed) throw storeClosed(this.name);
    return sorted(this.#shared.get(shared)?.get(table) ?? new Map<string, unknown>()).map(([key]) => key);
  }

  async commit(writes: readonly Write[], random: RandomState): Promise<void> {
    if (this.#closed) throw storeClosed(this.name);
    const copies = snapshot(writes);
    checkFence(this.#shelf.row, this.#row);
    for (const write of copies) {
      if (write.shared === undefined) putRecord(this.#shelf.tables, write);
      else putSharedRecord(this.#shared, write.shared, write);
    }
    this.#row = this.#shelf.row = advanced(this.#row, random, this.#now());
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#shelf.holder === this) this.#shelf.holder = null;
  }
}

function putSharedRecord(all: Map<string, Tables>, shared: string, write: Write): void {
  const tables: Tables = all.get(shared) ?? new Map();
  all.set(shared, tables);
  const { requires } = write;
  if (requires === undefined || tables.get(requires.table)?.has(requires.key) === true)
    putRecord(tables, write);
}

function putRecord(tables: Tables, { table, key, value }: SessionRecord): void {
  const records = tables.get(table) ?? new Map<string, unknown>();
  tables.set(table, records);
  if (value === undefined) records.delete(key);
  else records.set(key, value);
}

function shelfRecords(shelf: Shelf): SessionRecord[] {
  return sorted(shelf.tables).flatMap(([table, records]) =>
    NOT_EXPORTED.has(table) ? [] : sorted(records).map(([key, value]) => ({ table, key, value })),
  );
}

/** Sorts by UTF-16 units, as IndexedDB sorts its keys. */
function sorted<K extends string, V>(map: ReadonlyMap<K, V>): [K, V][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
