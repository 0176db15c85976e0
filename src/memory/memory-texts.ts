import { isRecord } from '../core/json.js';
import { CHUNK_ITEMS } from '../core/long-term.js';
import { aligned } from './chunk-bytes.js';
import { hashOf } from './hash.js';

/** Length of the head, in bytes: for each memory of a chunk, the end of its text and the hash of that. */
export const HEAD = 8 * CHUNK_ITEMS;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

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
  const numbers = new Uint32Array(HEAD / 4);
  const parts: Uint8Array[] = [];
  let end = HEAD;
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
  let at = HEAD;
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
  return { start: place === 0 ? HEAD : (head[2 * place - 2] ?? end), end };
}

/** Returns the memory in the bytes of its text; undefined when they are empty or damaged. */
export function memoryOfText(head: Uint32Array, number: number, bytes: Uint8Array): unknown {
  const text = decoder.decode(bytes);
  const isWhole = text !== '' && hashOf(text) === head[2 * (number % CHUNK_ITEMS) + 1];
  return isWhole ? (JSON.parse(text) as unknown) : undefined;
}
