import { isRecord } from '../core/json.js';
import { CHUNK_ITEMS } from '../core/long-term.js';
import { hashOf } from './hash.js';

/** The typed arrays in chunks. */
const ARRAYS = { Float64Array, Uint32Array, Uint16Array, Uint8Array } as const;
/** Alignment of every array, so that it can be used in place. */
const ALIGNED = 8;
/** Shorter texts are part of the description. */
const LONG_TEXT = 100;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Converts a chunk (records, lists, numbers, texts, and typed arrays) to bytes: a description in JSON, then the arrays and long texts. No
 * record may have a property `$`.
 */
export function chunkToBytes(chunk: unknown): Uint8Array<ArrayBuffer> {
  const parts: { at: number; bytes: Uint8Array }[] = [];
  let length = 0;
  const place = (kind: string, bytes: Uint8Array) => {
    const at = length;
    parts.push({ at, bytes });
    length = aligned(at + bytes.length);
    return { $: kind, at, bytes: bytes.length };
  };
  const description = JSON.stringify(chunk, (_, part: unknown) => {
    if (part instanceof Uint8Array) return place('Uint8Array', part);
    if (ArrayBuffer.isView(part))
      return place(part.constructor.name, new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    if (typeof part !== 'string' || part.length < LONG_TEXT) return part;
    const bytes = encoder.encode(part);
    return decoder.decode(bytes) === part ? place('text', bytes) : part; // UTF-8 cannot represent lone surrogates
  });
  const head = encoder.encode(description);
  const start = aligned(4 + head.length);
  const bytes = new Uint8Array(start + length);
  new DataView(bytes.buffer).setUint32(0, head.length);
  bytes.set(head, 4);
  for (const part of parts) bytes.set(part.bytes, start + part.at);
  return bytes;
}

/** Converts bytes back to a chunk, whose arrays are views of them. Returns null for other bytes. The chunk still has to be validated. */
export function chunkOfBytes({ buffer }: Uint8Array<ArrayBuffer>): unknown {
  try {
    const head = new DataView(buffer).getUint32(0);
    const start = aligned(4 + head);
    return JSON.parse(decoder.decode(new Uint8Array(buffer, 4, head)), (_, part: unknown) => {
      if (!isRecord(part) || part['$'] === undefined) return part;
      const { $: kind, at, bytes } = part as { $: string; at: number; bytes: number };
      if (kind === 'text') return decoder.decode(new Uint8Array(buffer, start + at, bytes));
      const Kind = ARRAYS[kind as keyof typeof ARRAYS];
      return new Kind(buffer, start + at, bytes / Kind.BYTES_PER_ELEMENT);
    });
  } catch {
    return null;
  }
}

/** Distance of the numbers that `sumOf` covers, in units of 4 bytes: several in each sector of a disk. */
const STRIDE = 32;

/**
 * Returns a checksum that detects bytes which were written in part: disks write whole sectors, so some numbers of each are enough. Covering
 * all would take longer than reading them.
 */
export function sumOf({ buffer }: Uint8Array<ArrayBuffer>): number {
  const numbers = new Uint32Array(buffer);
  let sum = numbers.length;
  for (let at = 0; at < numbers.length; at += STRIDE)
    sum = Math.imul(sum ^ (numbers[at] ?? 0), 0x01_00_01_93);
  return sum >>> 0;
}

/** Rounds a length up, so that typed arrays can begin after it. */
function aligned(length: number): number {
  return Math.ceil(length / ALIGNED) * ALIGNED;
}

/** Length of the head, in bytes: for each memory of a chunk, the end of its text and the hash of that. */
export const HEAD_BYTES = 8 * CHUNK_ITEMS;

/**
 * Converts the memories of a chunk to bytes from which each can be read alone: a head, then a JSON text without the vector for each. `head` is a
 * copy of the first part.
 */
export function textsOf(rows: Iterable<{ number: number; value: unknown }>): {
  bytes: Uint8Array<ArrayBuffer>;
  head: Uint8Array<ArrayBuffer>;
} {
  const texts = new Map<number, string>();
  for (const { number, value } of rows)
    if (isRecord(value)) texts.set(number % CHUNK_ITEMS, JSON.stringify({ ...value, vector: undefined }));
  const numbers = new Uint32Array(HEAD_BYTES / 4);
  const parts: Uint8Array[] = [];
  let end = HEAD_BYTES;
  for (let place = 0; place < CHUNK_ITEMS; place++) {
    const text = texts.get(place) ?? '';
    const part = encoder.encode(text);
    parts.push(part);
    numbers[2 * place] = end += part.length;
    numbers[2 * place + 1] = hashOf(text);
  }
  const bytes = new Uint8Array(aligned(end));
  const head = new Uint8Array(numbers.buffer);
  bytes.set(head);
  let at = HEAD_BYTES;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, head };
}

/** Returns where the text of a memory starts and ends. Both are equal when the memory has no text. */
export function placeOfText(head: Uint32Array, number: number): { start: number; end: number } {
  const place = number % CHUNK_ITEMS;
  const end = head[2 * place] ?? 0;
  return { start: place === 0 ? HEAD_BYTES : (head[2 * place - 2] ?? end), end };
}

/** Returns the memory in the bytes of its text; undefined when they are empty or damaged. */
export function memoryOfText(head: Uint32Array, number: number, bytes: Uint8Array): unknown {
  const text = decoder.decode(bytes);
  const isWhole = text !== '' && hashOf(text) === head[2 * (number % CHUNK_ITEMS) + 1];
  return isWhole ? (JSON.parse(text) as unknown) : undefined;
}
