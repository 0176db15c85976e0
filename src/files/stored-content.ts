import { RoleZeroError } from '../core/error.js';
import { Content, type FileContent } from './content.js';

/** Reads stored contents by their keys. */
export type ReadContents = (keys: readonly string[]) => Promise<readonly { key: string; value: unknown }[]>;
/** Restores a content that is damaged or missing in the store. Returns whether that was possible. */
export type RestoreContent = (key: string) => Promise<boolean>;

/** Content with a row of its own, which is read when it is used. */
export class StoredContent implements FileContent {
  readonly #hash: string;
  readonly #source: Content | (() => Promise<Content>);
  #reading: Promise<Content> | null = null;
  #loaded: Content | null = null;

  /** @param source The content itself, or how to read it. */
  constructor(
    readonly key: string,
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
  add(key: string, size: number, hash: string): StoredContent {
    const place = this.#unread.length;
    const content: StoredContent = new StoredContent(key, size, hash, () => this.#load(content, place));
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
    const rows = this.#read(batch.map(({ key }) => key)).then(
      (found) => new Map(found.map(({ key, value }) => [key, value])),
    );
    const contentOf = async (content: StoredContent): Promise<Content> => {
      const found = intactContent(content, (await rows).get(content.key));
      if (found !== null) return found;
      const again = (await this.#restore(content.key)) ? await this.#read([content.key]) : [];
      const restored = intactContent(content, again[0]?.value);
      if (restored === null) throw damaged(content.key);
      return restored;
    };
    for (const other of batch.slice(1)) other.expect(contentOf(other)).catch(() => undefined); // its use reads again
    this.#unread.fill(null, place, end);
    return contentOf(wanted);
  }
}

/** Returns the stored value as the content; null when it is another one. */
function intactContent(content: StoredContent, value: unknown): Content | null {
  if (typeof value !== 'string' && !(value instanceof Uint8Array)) return null;
  const found = new Content(value);
  return found.hash() === content.hash() ? found : null;
}

function damaged(key: string): RoleZeroError {
  return new RoleZeroError(
    'storage-corrupt',
    `The content ${key} of a file is damaged or missing in the database. Write the file again, or restore an export with sessions.import().`,
    { table: 'contents', key },
  );
}
