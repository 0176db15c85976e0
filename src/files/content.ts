import { hexOfWords } from '../core/bytes.js';
import { decodeText } from '../core/text-encoding.js';

/** A part of a row of the table `contents`: its key, where it begins, and its length, in UTF-16 units of a text or in bytes. */
export type Slice = readonly [key: string, from: number, length: number];

/** The rows that make up a content: a whole one, or parts of several, in order. */
export type ContentRows =
  | { readonly key: string }
  | {
      readonly slices: readonly Slice[];
      /** Length of all its rows, including what it no longer contains. */
      readonly weight: number;
    };

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

/** Returns the length of the text in UTF-8 bytes, without encoding it. A lone surrogate counts as the replacement character. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += 1;
    if (unit < 0x800) continue;
    bytes += 1;
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(i + 1);
    if (next >= 0xdc00 && next <= 0xdfff) i += 1; // a pair: 4 bytes for 2 units, counted as 2 + 2
  }
  return bytes;
}

/**
 * Returns a hash of bytes: MurmurHash3 (x86, 128 bits) with their length, as hexadecimal digits. Meant for comparing versions of a file, at
 * about a gigabyte per second. It is not collision-resistant: someone can construct two contents with the same hash.
 */
function contentHash(bytes: Uint8Array): string {
  const { length } = bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  const lanes: Lanes = [0, 0, 0, 0];
  let [a, b, c, d] = lanes;
  const whole = length - (length % 16);
  for (let at = 0; at < whole; at += 16) {
    a ^= Math.imul(rotate(Math.imul(view.getUint32(at, true), C1), 15), C2);
    a = (Math.imul((rotate(a, 19) + b) | 0, 5) + 0x561ccd1b) | 0;
    b ^= Math.imul(rotate(Math.imul(view.getUint32(at + 4, true), C2), 16), C3);
    b = (Math.imul((rotate(b, 17) + c) | 0, 5) + 0x0bcaa747) | 0;
    c ^= Math.imul(rotate(Math.imul(view.getUint32(at + 8, true), C3), 17), C4);
    c = (Math.imul((rotate(c, 15) + d) | 0, 5) + 0x96cd1c35) | 0;
    d ^= Math.imul(rotate(Math.imul(view.getUint32(at + 12, true), C4), 18), C1);
    d = (Math.imul((rotate(d, 13) + a) | 0, 5) + 0x32ac3b17) | 0;
  }
  const tail = new Uint8Array(16);
  tail.set(bytes.subarray(whole));
  const rest = new DataView(tail.buffer);
  d ^= Math.imul(rotate(Math.imul(rest.getUint32(12, true), C4), 18), C1);
  c ^= Math.imul(rotate(Math.imul(rest.getUint32(8, true), C3), 17), C4);
  b ^= Math.imul(rotate(Math.imul(rest.getUint32(4, true), C2), 16), C3);
  a ^= Math.imul(rotate(Math.imul(rest.getUint32(0, true), C1), 15), C2);
  return hexOfWords(
    spread(spread([a ^ length, b ^ length, c ^ length, d ^ length]).map(finishHash) as Lanes),
  );
}

type Lanes = [number, number, number, number];

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}

/** Mixes all lanes into each. */
function spread([a, b, c, d]: Lanes): Lanes {
  const sum = (a + b + c + d) | 0;
  return [sum, (b + sum) | 0, (c + sum) | 0, (d + sum) | 0];
}

function finishHash(lane: number): number {
  let mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
