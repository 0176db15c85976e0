import { RoleZeroError } from '../core/error.js';
import { Content, type ContentRows, type FileContent } from './content.js';
import { joined, keysOf } from './slices.js';

/** Reads stored contents by their keys. */
export type ReadContents = (keys: readonly string[]) => Promise<readonly { key: string; value: unknown }[]>;
/** Restores a content that is damaged or missing in the store. Returns whether that was possible. */
export type RestoreContent = (key: string) => Promise<boolean>;

/** Content with rows of its own, which are read when it is used. */
export class StoredContent implements FileContent {
  readonly #hash: string;
  readonly #source: Content | (() => Promise<Content>);
  #reading: Promise<Content> | null = null;
  #loaded: Content | null = null;

  /** @param source The content itself, or how to read it. */
  constructor(
    readonly rows: ContentRows,
    readonly size: number,
    hash: string,
    source: Content | (() => Promise<Content>),
  ) {
    this.#hash = hash;
    this.#source = source;
  }

  hash(): string {
    return this.#hash;
  }

  /** The content, if it is in memory. */
  get loaded(): Content | null {
    return this.#source instanceof Content ? this.#source : this.#loaded;
  }

  async load(): Promise<Content> {
    if (this.#source instanceof Content) return this.#source;
    return this.#reading ?? this.expect(this.#source());
  }

  /** Takes the result of a read in progress. After a failure, the next use reads again. */
  async expect(reading: Promise<Content>): Promise<Content> {
    this.#reading = reading;
    try {
      return (this.#loaded = await reading);
    } catch (error) {
      this.#reading = null;
      throw error;
    }
  }
}

/** Maximum bytes that are read ahead of their use. */
const MAX_AHEAD = 1_000_000;

/**
 * The contents of the files as a session finds them, which are read on demand. When they are read one after the other, as by a search, each
 * read takes twice as many of them as the one before.
 */
export class StoredContents {
  readonly #read: ReadContents;
  readonly #restore: RestoreContent;
  /** In the order of the paths; null once read. */
  readonly #unread: (StoredContent | null)[] = [];
  /** Place behind the last one that was read. */
  #next = 0;
  #count = 1;

  constructor(read: ReadContents, restore: RestoreContent) {
    this.#read = read;
    this.#restore = restore;
  }

  /** Adds the content of the next file. */
  add(rows: ContentRows, size: number, hash: string): StoredContent {
    const place = this.#unread.length;
    const content: StoredContent = new StoredContent(rows, size, hash, () => this.#load(content, place));
    this.#unread.push(content);
    return content;
  }

  #load(wanted: StoredContent, place: number): Promise<Content> {
    this.#count = place > 0 && place === this.#next ? 2 * this.#count : 1;
    const batch = [wanted];
    let bytes = wanted.size;
    let end = place + 1;
    for (; end < this.#unread.length && batch.length < this.#count && bytes < MAX_AHEAD; end += 1) {
      const content = this.#unread[end] ?? null;
      if (content === null) continue;
      batch.push(content);
      bytes += content.size;
    }
    this.#next = end;
    const values = this.#valuesOf([...new Set(batch.flatMap(({ rows }) => keysOf(rows)))]);
    const contentOf = async (content: StoredContent): Promise<Content> => {
      const found = intactContent(content, await values);
      if (found !== null) return found;
      const keys = keysOf(content.rows);
      let isRestored = false;
      for (const key of keys) isRestored = (await this.#restore(key)) || isRestored;
      const restored = isRestored ? intactContent(content, await this.#valuesOf(keys)) : null;
      if (restored === null) throw damagedContents(keys);
      return restored;
    };
    for (const other of batch.slice(1)) other.expect(contentOf(other)).catch(() => undefined); // its use reads again
    this.#unread.fill(null, place, end);
    return contentOf(wanted);
  }

  async #valuesOf(keys: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    return new Map((await this.#read(keys)).map(({ key, value }) => [key, value]));
  }
}

/** Returns the content that the values of its rows make up; null when that is another one. */
function intactContent(content: StoredContent, values: ReadonlyMap<string, unknown>): Content | null {
  const stored = joined(content.rows, (key) => values.get(key));
  if (stored === null) return null;
  const found = new Content(stored);
  return found.hash() === content.hash() ? found : null;
}

function damagedContents(keys: readonly string[]): RoleZeroError {
  return new RoleZeroError(
    'storage-corrupt',
    `The content ${keys.join(', ')} of a file is damaged or missing in the database. Write the file again, or restore an export with sessions.import().`,
    { table: 'contents', key: keys[0] ?? '' },
  );
}
