import { defined } from '../../core/defined.js';
import { serialQueue } from '../../core/serial-queue.js';
import { isRecord } from '../../core/json.js';
import type { LongTermStore, SharedChanges, StoredMemory } from '../../core/long-term.js';
import { newId } from '../../core/new-id.js';
import { cannotShare } from '../../core/shared-name.js';
import type { Table, Write } from '../../core/store.js';
import type { RoleContext } from '../../agent/runtime/context.js';
import type { PartAgent } from '../../agent/runtime/part.js';
import { UserWrites } from './user-writes.js';

/** Revision of a message that a role has stored: the same for every role and attempt, so that it is stored once. */
const FIRST = '0';
/** Digits of the revisions that a user creates. Each is new, so that a removed record never comes back. */
const REVISION_DIGITS = 8;

/** For more records than this, reading all is faster than one by one. */
const ALL_FROM = 2_000;

/** A memory and the keys of its records, the valid one first. Several exist for a moment when two sessions store one memory at once. */
interface KnownMemory {
  id: string;
  keys: readonly string[];
}

/**
 * Stores the older memories that sessions share under a name, through the journal of a role. A record never changes: a changed memory gets a
 * new one, which is stored only while the old one exists. So comparing keys shows what other sessions have done, and a memory that one of
 * them has removed cannot come back. Numbers of memories are valid in this session only.
 */
export class SharedMemoryRows implements LongTermStore {
  readonly #shared: string;
  readonly #journal: () => PartAgent['journal'];
  readonly #context: () => Pick<RoleContext, 'load' | 'loadShared' | 'sharedKeys'>;
  readonly #known = new Map<number, KnownMemory>();
  readonly #numbers = { byKey: new Map<string, number>(), byId: new Map<string, number>() };
  /** Memories of this role that are not stored yet. */
  readonly #unsaved = new Map<number, StoredMemory>();
  /** Keys of removed records that may still be stored. */
  readonly #removed = new Set<string>();
  readonly #byUser = new UserWrites();
  #next = 0;
  readonly #inOrder = serialQueue();

  constructor(
    shared: string,
    journal: () => PartAgent['journal'],
    context: () => Pick<RoleContext, 'load' | 'loadShared' | 'sharedKeys'>,
  ) {
    this.#shared = shared;
    this.#journal = journal;
    this.#context = context;
  }

  add(item: StoredMemory): void {
    this.put(item);
  }

  put(item: StoredMemory): void {
    const { number, vector, ...value } = item;
    const replaced = this.#known.get(number)?.keys[0];
    const isNew = replaced === undefined && !this.#byUser.isOpen;
    const key = `${this.#shared}/${item.id}/${isNew ? FIRST : newId().slice(0, REVISION_DIGITS)}`;
    const write: Write = { ...this.#place('memories', key), value };
    const mayBeGone = replaced !== undefined && !this.#unsaved.has(number);
    this.#write([mayBeGone ? { ...write, requires: { table: 'memories', key: replaced } } : write]);
    this.remove(number);
    this.#know(number, { id: item.id, keys: [key] });
    if (vector !== undefined) this.putVector(item);
    if (this.#byUser.isOpen) return;
    this.#unsaved.set(number, item);
    if (this.#context().loadShared === undefined) return; // without a store it is never saved
    this.#journal().then(() => {
      if (this.#unsaved.get(number) === item) this.#unsaved.delete(number);
    });
  }

  putVector({ number, vector }: StoredMemory): void {
    const key = this.#known.get(number)?.keys[0];
    if (key === undefined || vector === undefined) return;
    this.#write([{ ...this.#place('vectors', key), value: vector, requires: { table: 'memories', key } }]);
  }

  remove(number: number): void {
    const keys = this.#known.get(number)?.keys ?? [];
    const writes = keys.flatMap((key) =>
      (['memories', 'vectors'] as const).map((table) => ({ ...this.#place(table, key), value: undefined })),
    );
    this.#write(writes);
    if (this.#unsaved.has(number)) this.#journal().add(writes); // it would be stored with the next commit
    for (const key of keys) this.#removed.add(key);
    this.#forget(number);
  }

  /** The writes are not in the journal: a later commit would undo what other sessions have changed meanwhile. */
  byUser(change: () => void): Write[] {
    return this.#byUser.collect(change);
  }

  /** Reads the records again each time, so that what another session has removed is not returned. */
  async read(numbers: readonly number[]): Promise<unknown[]> {
    const unsaved = new Map(this.#unsaved); // a copy: they may be stored during the wait
    const keys = new Map(numbers.map((number) => [number, this.#known.get(number)?.keys[0] ?? '']));
    const stored = [...keys].flatMap(([number, key]) => (unsaved.has(number) || key === '' ? [] : key));
    const rows = await this.#load(stored);
    return numbers.flatMap((number) => {
      const value: object | undefined = unsaved.get(number) ?? rows.get(keys.get(number) ?? '');
      return value === undefined ? [] : { ...value, number };
    });
  }

  async readRange(from: number, before: number): Promise<unknown[]> {
    if (this.#known.size === 0) {
      let all: unknown[] = [];
      await this.refresh(({ entered }) => (all = entered));
      return all;
    }
    const numbers = [...this.#known.keys()].filter((number) => number >= from && number < before);
    return this.read(numbers.sort((one, other) => one - other));
  }

  putChunk(): void {
    // Numbers differ between sessions, so each creates its indexes from the records.
  }

  async readChunks(): Promise<never[]> {
    return [];
  }

  refresh(take: (changes: SharedChanges) => void): Promise<void> {
    return this.#inOrder(() => this.#refresh(take));
  }

  async #refresh(take: (changes: SharedChanges) => void): Promise<void> {
    const { load, sharedKeys } = this.#context();
    if (load === undefined) return; // without a store
    if (sharedKeys === undefined) throw cannotShare('longTermMemory()', this.#shared);
    // What changes here while this waits is newer than what is read.
    const before = new Map(this.#known);
    const unsaved = new Set(this.#unsaved.keys());
    const stored = new Set(await sharedKeys(this.#shared, 'memories'));
    for (const key of this.#removed) if (!stored.has(key)) this.#removed.delete(key);
    const news = [...stored].filter((key) => !this.#numbers.byKey.has(key) && !this.#removed.has(key));
    const missing = [...before].flatMap(([number, known]) => {
      const keys = known.keys.filter((key) => stored.has(key));
      return unsaved.has(number) || keys.length === known.keys.length ? [] : { number, known, keys };
    });
    const wanted = [...news, ...missing.flatMap(({ keys }) => keys)];
    const rows = await this.#load(wanted);
    const gone: number[] = [];
    for (const { number, known, keys } of missing) {
      if (this.#known.get(number) !== known) continue;
      this.#know(number, { ...known, keys });
      if (keys.length > 0) continue;
      this.#forget(number);
      gone.push(number);
    }
    const byArrival = [...rows].sort(([, one], [, other]) => arrivalOf(one) - arrivalOf(other));
    const entered = byArrival.flatMap(([key, value]) => this.#enter(key, value));
    take({ entered, gone });
  }

  /** Takes over a record that another session has stored. Returns the memory, unless another record of it is the valid one. */
  #enter(key: string, value: Record<string, unknown>): unknown[] {
    const { id } = value;
    if (typeof id !== 'string' || !key.startsWith(`${this.#shared}/${id}/`) || this.#removed.has(key))
      return [];
    const number = this.#numbers.byId.get(id) ?? this.#next;
    const keys = [...new Set([key, ...(this.#known.get(number)?.keys ?? [])])].sort().reverse();
    this.#know(number, { id, keys });
    return keys[0] === key ? [{ ...value, number }] : [];
  }

  /** Reads memories with their vectors. */
  async #load(keys: readonly string[]): Promise<Map<string, Record<string, unknown>>> {
    const { loadShared } = this.#context();
    if (keys.length === 0 || loadShared === undefined) return new Map();
    const some = keys.length > ALL_FROM ? undefined : keys;
    const [rows, vectors] = await Promise.all([
      loadShared(this.#shared, 'memories', some),
      loadShared(this.#shared, 'vectors', some),
    ]);
    const wanted = new Set(keys);
    const vectorOf = new Map(vectors.map(({ key, value }) => [key, value]));
    return new Map(
      rows.flatMap(({ key, value }) =>
        wanted.has(key) && isRecord(value)
          ? [[key, { ...value, ...defined({ vector: vectorOf.get(key) }) }]]
          : [],
      ),
    );
  }

  #know(number: number, known: KnownMemory): void {
    this.#next = Math.max(this.#next, number + 1);
    for (const key of this.#known.get(number)?.keys ?? []) this.#numbers.byKey.delete(key);
    for (const key of known.keys) this.#numbers.byKey.set(key, number);
    this.#numbers.byId.set(known.id, number);
    this.#known.set(number, known);
  }

  #forget(number: number): void {
    const known = this.#known.get(number);
    for (const key of known?.keys ?? []) this.#numbers.byKey.delete(key);
    if (known !== undefined) this.#numbers.byId.delete(known.id);
    this.#known.delete(number);
    this.#unsaved.delete(number);
  }

  #write(writes: readonly Write[]): void {
    if (this.#byUser.isOpen) this.#byUser.add(writes);
    else this.#journal().add(writes);
  }

  #place(table: Table, key: string): Pick<Write, 'table' | 'key'> & { shared: string } {
    return { table, key, shared: this.#shared };
  }
}

function arrivalOf({ arrival }: Record<string, unknown>): number {
  return typeof arrival === 'number' ? arrival : 0;
}
