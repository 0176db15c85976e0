import { contentHash } from './content-hash.js';
import { decodeText } from '../core/text-encoding.js';
import type { ContentRows } from './content-rows.js';
import { utf8Length } from './utf8.js';

/** Immutable content of a file, which may have to be read from the store first. */
export interface FileContent {
  /** Bytes. */
  readonly size: number;
  /** Its rows in the table `contents`; undefined when the row of the file contains it. */
  readonly rows?: ContentRows;
  /** Returns a hash that is equal for equal bytes. */
  hash(): string;
  /** Returns the content in memory. @throws RoleZeroError `storage-corrupt` when it is not stored, `storage-…` when it cannot be read. */
  load(): Content | Promise<Content>;
}

/** Content in memory, given as text or as bytes. The other form is created on first use and cached. */
export class Content implements FileContent {
  readonly size: number;
  #text: string | undefined;
  #bytes: Uint8Array | undefined;
  #isText: boolean | undefined;
  #hash: string | undefined;

  /** Stores bytes without copying them: the caller must not change them afterwards. */
  constructor(readonly stored: string | Uint8Array) {
    if (typeof stored === 'string') {
      this.#text = stored;
      this.#isText = true;
      this.size = utf8Length(stored);
    } else {
      this.#bytes = stored;
      this.size = stored.byteLength;
    }
  }

  load(): this {
    return this;
  }

  /**
   * Returns the content decoded as UTF-8; invalid bytes become U+FFFD. Keeps a byte order mark, so that writing the text back loses
   * nothing.
   */
  text(): string {
    this.#text ??= new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#bytes);
    return this.#text;
  }

  /** Returns the bytes without copying them: do not change them. */
  bytes(): Uint8Array {
    this.#bytes ??= new TextEncoder().encode(this.#text);
    return this.#bytes;
  }

  hash(): string {
    this.#hash ??= contentHash(this.#bytes ?? new TextEncoder().encode(this.#text)); // the encoded bytes are not worth caching
    return this.#hash;
  }

  /** Returns the text in whatever encoding it has, to show it; null when the content is not text. */
  shownText(): string | null {
    return this.isText() ? this.text() : (decodeText(this.bytes())?.text ?? null);
  }

  /** Returns the text; null when the content is not UTF-8 text. */
  textOrNull(): string | null {
    return this.isText() ? this.text() : null;
  }

  /** Returns whether the content can be decoded as UTF-8 without loss. */
  isText(): boolean {
    this.#isText ??= isUtf8(this.bytes());
    return this.#isText;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
