import {
  CHUNK_ITEMS,
  chunkOf,
  type ChunkPart,
  type LongTermStore,
  type StoredMemory,
} from '../../core/long-term.js';
import type { KeyRange, Table, Write } from '../../core/store.js';
import { ChunkFile, openChunkFile, readChunkPlaces, type ChunkPlaces } from './chunk-file.js';
import type { RoleContext } from '../../agent/runtime/context.js';
import { readRowKey, rowKey } from '../../agent/runtime/journal.js';
import type { PartAgent } from '../../agent/runtime/part.js';
import { UserWrites } from './user-writes.js';

/** Tables with the parts of chunks. */
const CHUNK_TABLES: Readonly<Record<ChunkPart, Table>> = { words: 'recall', vectors: 'vectors' };

/** Pause before each piece of the file that is erased after opening: searches come first. */
const ERASE_PAUSE_MS = 200;

/** Stores the older memories of a role as rows of its session, through its journal, so that a crash never duplicates a message. */
export class LongTermRows implements LongTermStore {
  readonly #role: string;
  readonly #journal: () => PartAgent['journal'];
  readonly #context: () => Pick<RoleContext, 'read' | 'load' | 'openFile'>;
  /** Rows that are not stored yet; null is a removal. Without a session they are never stored. */
  readonly #unsaved = new Map<number, StoredMemory | null>();
  readonly #byUser = new UserWrites();
  /** Contains the word indexes of the chunks, and copies of the memories, once it is open. Null where there is no file: then all are rows. */
  #file: ChunkFile | null = null;
  /** Chunks whose texts were written, or could not be. */
  readonly #copied = new Set<number>();
  #copying: Promise<void> = Promise.resolve();
  /** Numbers of the memories that changed since the copying of a chunk began; null while none is copied. */
  #changed: Set<number> | null = null;

  constructor(
    role: string,
    journal: () => PartAgent['journal'],
    context: () => Pick<RoleContext, 'read' | 'load' | 'openFile'>,
  ) {
    this.#role = role;
    this.#journal = journal;
    this.#context = context;
  }

  add(item: StoredMemory): void {
    const isCopied = this.#file?.text(item.number) !== undefined; // although the index of its chunk does not cover it
    this.#write([this.#rowOf(item.number, item), ...(isCopied ? this.#chunkRemovals(item.number) : [])]);
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
    const rows = await this.#rows(numbers);
    return numbers.map((number) => rows.get(number)).filter((value) => value !== undefined);
  }

  async readWithoutVectors(numbers: readonly number[]): Promise<unknown[]> {
    const texts = new Map<number, unknown>();
    const missing: number[] = [];
    for (const number of numbers) {
      const text = this.#unsaved.has(number) ? undefined : this.#file?.text(number);
      if (text === undefined) missing.push(number);
      else texts.set(number, text);
    }
    const rows = missing.length === 0 ? texts : await this.#rows(missing);
    for (const chunk of new Set(missing.map(chunkOf)))
      if (!this.#copied.has(chunk) && this.#file?.hasTexts(chunk) === false) this.#copyLater(chunk);
    return numbers
      .map((number) => texts.get(number) ?? rows.get(number))
      .filter((value) => value !== undefined);
  }

  /** Resolves when the texts of the chunks stored so far are in the file. The next commit stores their places. Never rejects. */
  get copied(): Promise<void> {
    return this.#copying;
  }

  async #rows(numbers: readonly number[]): Promise<Map<number, unknown>> {
    const unsaved = new Map(this.#unsaved); // a copy: rows may be stored during the wait
    const keys = numbers.filter((number) => !unsaved.has(number)).map((number) => rowKey(this.#role, number));
    const stored = keys.length === 0 ? [] : await this.#context().read?.('memories', keys);
    const rows = new Map(stored?.map(({ key, value }) => [readRowKey(key).number, value]));
    for (const number of numbers) if (unsaved.has(number)) rows.set(number, unsaved.get(number) ?? undefined);
    return rows;
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
    if (inFile) {
      this.#journal().then(() => {
        this.#file?.eraseReplaced(chunk);
        this.#copyLater(chunk);
      });
    }
  }

  /** Copies the memories of a stored chunk into the file, one chunk after the other. */
  #copyLater(chunk: number): void {
    this.#copied.add(chunk);
    // After an error, the database alone has them.
    this.#copying = this.#copying.then(() => this.#copy(chunk)).catch(() => void (this.#changed = null));
  }

  async #copy(chunk: number): Promise<void> {
    const file = this.#file;
    if (!file?.has(chunk)) return;
    const changed = (this.#changed = new Set(this.#unsaved.keys()));
    const rows = await this.#load('memories', chunk * CHUNK_ITEMS, (chunk + 1) * CHUNK_ITEMS);
    this.#changed = null;
    const places = file.writeTexts(
      chunk,
      rows.filter(({ number }) => !changed.has(number)),
    );
    if (places === null) return;
    this.#journal().put(CHUNK_TABLES.words, rowKey(this.#role, chunk), places);
    this.#journal().then(() => file.eraseReplaced(~chunk));
  }

  async readChunks(
    part: ChunkPart,
    from: number,
    before: number,
  ): Promise<{ chunk: number; value: unknown }[]> {
    const isWhole = part === 'words' && from === 0 && before === Infinity;
    const opening = isWhole ? openChunkFile(this.#role, this.#context()) : null;
    const stored = await this.#load(CHUNK_TABLES[part], from, before);
    const places = new Map<number, ChunkPlaces>();
    for (const { number, value } of stored) {
      const found = readChunkPlaces(value);
      if (found !== null) places.set(number, found);
    }
    const file = await opening;
    if (file && this.#file === null) {
      this.#file = new ChunkFile(file, places);
      void this.#file.eraseUnused(() => new Promise((next) => setTimeout(next, ERASE_PAUSE_MS)));
    }
    return stored.map(({ number, value }) => {
      const found = places.get(number);
      return { chunk: number, value: found === undefined ? value : this.#file?.read(found.inFile) };
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
    const chunk = chunkOf(number);
    this.#file?.erase(chunk);
    const key = rowKey(this.#role, chunk);
    return Object.values(CHUNK_TABLES).map((table) => ({ table, key, value: undefined }));
  }

  #keepUntilSaved(number: number, item: StoredMemory | null): void {
    this.#unsaved.set(number, item);
    this.#changed?.add(number);
    if (this.#context().read === undefined) return;
    this.#journal().then(() => {
      if (this.#unsaved.get(number) === item) this.#unsaved.delete(number);
    });
  }
}
