import { contentHash } from './content-hash.js';
import { utf8Length } from './utf8.js';

/** What a file holds: given as text or as bytes, turned into the other when somebody asks, once. Never changes. */
export class Content {
  /** Bytes. */
  readonly size: number;
  #text: string | undefined;
  #bytes: Uint8Array | undefined;
  #isText: boolean | undefined;
  #hash: string | undefined;

  /** Bytes are kept as they are, not copied: the caller gives them away. */
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

  /** As UTF-8; what is not becomes U+FFFD. A byte order mark stays, so that writing the text back loses nothing. */
  text(): string {
    this.#text ??= new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#bytes);
    return this.#text;
  }

  /** Not a copy: do not change them. */
  bytes(): Uint8Array {
    this.#bytes ??= new TextEncoder().encode(this.#text);
    return this.#bytes;
  }

  /** The same for the same bytes. */
  hash(): string {
    this.#hash ??= contentHash(this.#bytes ?? new TextEncoder().encode(this.#text)); // the bytes of a text are not worth keeping for it
    return this.#hash;
  }

  /** Whether it can be read as text without loss. */
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
