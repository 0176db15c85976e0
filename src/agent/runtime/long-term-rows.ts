import { CHUNK_ITEMS, type ChunkPart, type LongTermStore, type StoredMemory } from '../../core/long-term.js';
import type { KeyRange, Table, Write } from '../../core/store.js';
import { ChunkFile, openChunkFile, readChunkPlace, type ChunkPlace } from './chunk-file.js';
import type { RoleContext } from './context.js';
import { readRowKey, rowKey, type Journal } from './journal.js';
import { UserWrites } from './user-writes.js';

/** Tables with the parts of chunks. */
const CHUNK_TABLES: Readonly<Record<ChunkPart, Table>> = { words: 'recall', vectors: 'vectors' };

/** Stores the older memories of a role as rows of its session, through its journal, so that a crash never duplicates a message. */
export class LongTermRows implements LongTermStore {
  readonly #role: string;
  readonly #journal: () => Journal;
  readonly #context: () => Pick<RoleContext, 'read' | 'load' | 'openFile'>;
  /** Rows that are not stored yet; null is a removal. Without a session they are never stored. */
  readonly #unsaved = new Map<number, StoredMemory | null>();
  readonly #byUser = new UserWrites();
  /** Contains the word indexes of the chunks once it is open. Null where there is no file: then they are rows. */
  #file: ChunkFile | null = null;

  constructor(
    role: string,
    journal: () => Journal,
    context: () => Pick<RoleContext, 'read' | 'load' | 'openFile'>,
  ) {
    this.#role = role;
    this.#journal = journal;
    this.#context = context;
  }

  add(item: StoredMemory): void {
    this.#write([this.#rowOf(item.number, item)]);
    this.#keepUntilSaved(item.number, item);
  }

  put(item: StoredMemory): void {
    this.#write([this.#rowOf(item.number, item), ...this.#chunkRemovals(item.number)]);
    this.#keepUntilSaved(item.number, item);
  }

  remove(number: number): void {
    this.#write([this.#rowOf(number, undefined), ...this.#chunkRemovals(number)]);
    this.#keepUntilSaved(number, null);
  }

  /** The writes are in the journal, too, where an older version may wait for its commit. */
  byUser(change: () => void): Write[] {
    return this.#byUser.collect(change);
  }

  async read(numbers: readonly number[]): Promise<unknown[]> {
    const stored = numbers.filter((number) => !this.#unsaved.has(number));
    const keys = stored.map((number) => rowKey(this.#role, number));
    const unsaved = new Map(this.#unsaved); // a copy: rows may be stored during the wait
    const rows = new Map(
      (await this.#context().read?.('memories', keys))?.map(({ key, value }) => [key, value]),
    );
    return numbers
      .map((number) => unsaved.get(number) ?? rows.get(rowKey(this.#role, number)))
      .filter((value) => value !== undefined);
  }

  async readRange(from: number, before: number): Promise<unknown[]> {
    const unsaved = new Map(this.#unsaved);
    const stored = await this.#load('memories', from, before);
    const items = new Map<number, unknown>(stored.map(({ number, value }) => [number, value]));
    for (const [number, item] of unsaved) if (number >= from && number < before) items.set(number, item);
    const inOrder = [...items].sort(([one], [other]) => one - other);
    return inOrder.flatMap(([, item]) => item ?? []);
  }

  putChunk(chunk: number, part: ChunkPart, value: unknown): void {
    if (this.#context().load === undefined) return; // without a store it is never read
    const inFile = part === 'words' ? this.#file?.write(chunk, value) : undefined;
    this.#journal().put(CHUNK_TABLES[part], rowKey(this.#role, chunk), inFile ?? value);
    if (inFile) this.#journal().then(() => this.#file?.eraseReplaced(chunk));
  }

  async readChunks(
    part: ChunkPart,
    from: number,
    before: number,
  ): Promise<{ chunk: number; value: unknown }[]> {
    const isWhole = part === 'words' && from === 0 && before === Infinity;
    const opening = isWhole ? openChunkFile(this.#role, this.#context()) : null;
    const stored = await this.#load(CHUNK_TABLES[part], from, before);
    const places = new Map<number, ChunkPlace>();
    for (const { number, value } of stored) {
      const place = readChunkPlace(value);
      if (place !== null) places.set(number, place);
    }
    const file = await opening;
    if (file && this.#file === null) this.#file = new ChunkFile(file, places);
    return stored.map(({ number, value }) => {
      const place = places.get(number);
      return { chunk: number, value: place === undefined ? value : this.#file?.read(place) };
    });
  }

  async #load(table: Table, from: number, before: number): Promise<{ number: number; value: unknown }[]> {
    const range: KeyRange = {
      from: rowKey(this.#role, from),
      before: Number.isFinite(before) ? rowKey(this.#role, before) : `${this.#role}/~`, // sorts after all digits
    };
    const rows = (await this.#context().load?.(table, range)) ?? [];
    return rows.flatMap(({ key, value }) => {
      const { owner, number } = readRowKey(key);
      return owner === this.#role ? [{ number, value }] : []; // the name of a role may start with another name and a slash
    });
  }

  #write(writes: readonly Write[]): void {
    this.#journal().add(writes);
    this.#byUser.add(writes);
  }

  #rowOf(number: number, value: StoredMemory | undefined): Write {
    return { table: 'memories', key: rowKey(this.#role, number), value };
  }

  /** The chunk of a changed memory is removed in the same commit, because it contains the old version. */
  #chunkRemovals(number: number): Write[] {
    const chunk = Math.floor(number / CHUNK_ITEMS);
    this.#file?.erase(chunk);
    const key = rowKey(this.#role, chunk);
    return Object.values(CHUNK_TABLES).map((table) => ({ table, key, value: undefined }));
  }

  #keepUntilSaved(number: number, item: StoredMemory | null): void {
    this.#unsaved.set(number, item);
    if (this.#context().read === undefined) return;
    this.#journal().then(() => {
      if (this.#unsaved.get(number) === item) this.#unsaved.delete(number);
    });
  }
}
