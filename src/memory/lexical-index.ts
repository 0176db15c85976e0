import { Best, type Scored } from './best.js';

export interface LexicalIndexOptions {
  /** How soon more of the same word stops counting. Default 1.5. */
  k1?: number;
  /** How much a long document has to make up for, 0 to 1. Default 0.75. */
  b?: number;
}

/** Where one word stands: in the documents of these slots, so often. */
interface Postings {
  /** In rising order; filled up to `length`. */
  slots: Uint32Array;
  counts: Uint8Array;
  length: number;
}

const MOST_COUNTED = 255;
/** Stands for the length of a removed document where an index is saved. */
const REMOVED = 0xff_ff_ff_ff;
const MAGIC = 0x31_78_65_6c; // "lex1"

/**
 * Ranks documents by the words they share with a query (Okapi BM25), and grows: documents come one by one and may be taken out again.
 * It holds words and numbers, not the documents, in flat arrays: a hundred thousand messages take some 15 MB, a query a fraction of a
 * millisecond, and it is saved and loaded as one block of bytes.
 */
export class LexicalIndex {
  readonly #k1: number;
  readonly #b: number;
  readonly #postings = new Map<string, Postings>();
  /** Of each slot: the number of its document, and how many words it has; a slot that is empty again has none. */
  #numbers = new Float64Array(64);
  #lengths = new Uint32Array(64);
  #slots = 0;
  /** Where each document is. */
  readonly #slotOf = new Map<number, number>();
  readonly #removed = new Set<number>();
  /** Whether words of removed documents may still be there. */
  #mustSweep = false;
  #documents = 0;
  #words = 0;
  /** Scratch of a search: zero between searches. */
  #scores = new Float32Array(0);
  #touched = new Uint32Array(0);

  constructor({ k1 = 1.5, b = 0.75 }: LexicalIndexOptions = {}) {
    this.#k1 = k1;
    this.#b = b;
  }

  /** How many documents are in it. */
  get size(): number {
    return this.#documents;
  }

  /** In the place of the document of the same number. */
  add(document: number, words: readonly string[]): void {
    this.remove(document);
    const slot = this.#slots;
    if (slot === this.#numbers.length) {
      this.#numbers = grown(this.#numbers, new Float64Array(2 * slot));
      this.#lengths = grown(this.#lengths, new Uint32Array(2 * slot));
    }
    this.#slotOf.set(document, slot);
    this.#numbers[slot] = document;
    this.#lengths[slot] = words.length;
    this.#slots++;
    this.#documents++;
    this.#words += words.length;
    for (const word of words) this.#count(word, slot);
  }

  /** Nothing of it stays, its words that no other document has included; what is not there is passed over. */
  remove(document: number): void {
    const slot = this.#slotOf.get(document);
    if (slot === undefined) return;
    this.#slotOf.delete(document);
    this.#removed.add(slot);
    this.#documents--;
    this.#words -= this.#lengths[slot] ?? 0;
    this.#lengths[slot] = 0;
    this.#mustSweep = true;
  }

  /** The best `count` documents that share a word with the query, best first; of equal ones the newer first. */
  search(words: readonly string[], count: number): Scored[] {
    this.#sweep();
    if (this.#scores.length < this.#slots) {
      this.#scores = new Float32Array(this.#numbers.length);
      this.#touched = new Uint32Array(this.#numbers.length);
    }
    let found = 0;
    for (const word of new Set(words)) found = this.#score(word, found);
    const best = new Best(Math.max(0, count));
    for (let at = 0; at < found; at++) {
      const slot = this.#touched[at] ?? 0;
      best.offer(this.#numbers[slot] ?? 0, this.#scores[slot] ?? 0);
      this.#scores[slot] = 0;
    }
    return count > 0 ? best.take() : [];
  }

  /** Everything as bytes, for `load`. */
  save(): Uint8Array<ArrayBuffer> {
    this.#sweep();
    const words = new TextEncoder().encode([...this.#postings.keys()].join('\n'));
    const all = [...this.#postings.values()];
    const total = all.reduce((sum, { length }) => sum + length, 0);
    const sizes = [this.#slots, this.#documents, this.#words, all.length, total, words.length];
    const head = Uint32Array.of(MAGIC, ...sizes, 0);
    const slots = new Uint32Array(total);
    const counts = new Uint8Array(total);
    let at = 0;
    for (const postings of all) {
      slots.set(postings.slots.subarray(0, postings.length), at);
      counts.set(postings.counts.subarray(0, postings.length), at);
      at += postings.length;
    }
    return joined([
      head,
      this.#numbers.slice(0, this.#slots),
      this.#lengths.slice(0, this.#slots).map((length, slot) => (this.#removed.has(slot) ? REMOVED : length)),
      Uint32Array.from(all, ({ length }) => length),
      slots,
      counts,
      words,
    ]);
  }

  /** Becomes what was saved, on top of the given bytes: they are not copied. False, and nothing changed, when they are no index. */
  load(bytes: Uint8Array<ArrayBuffer>): boolean {
    const cut = cutter(bytes.byteOffset % 8 === 0 ? bytes : bytes.slice());
    const head = cut(Uint32Array, 8);
    if (head?.[0] !== MAGIC) return false;
    const [, slotCount = 0, documents = 0, wordTotal = 0, words = 0, total = 0, textLength = 0] = head;
    const numbers = cut(Float64Array, slotCount);
    const lengths = cut(Uint32Array, slotCount);
    const sizes = cut(Uint32Array, words);
    const slots = cut(Uint32Array, total);
    const counts = cut(Uint8Array, total);
    const text = cut(Uint8Array, textLength);
    if (numbers === null || lengths === null || sizes === null) return false;
    if (slots === null || counts === null || text === null) return false;
    const names = words === 0 ? [] : new TextDecoder().decode(text).split('\n');
    if (names.length !== words) return false;
    this.#postings.clear();
    this.#removed.clear();
    this.#slotOf.clear();
    this.#mustSweep = false;
    let at = 0;
    for (const [place, word] of names.entries()) {
      const length = sizes[place] ?? 0;
      this.#postings.set(word, {
        slots: slots.subarray(at, at + length),
        counts: counts.subarray(at, at + length),
        length,
      });
      at += length;
    }
    this.#numbers = grown(numbers, new Float64Array(Math.max(64, 2 * slotCount)));
    this.#lengths = grown(lengths, new Uint32Array(Math.max(64, 2 * slotCount)));
    this.#slots = slotCount;
    for (let slot = 0; slot < slotCount; slot++) {
      if (this.#lengths[slot] === REMOVED) {
        this.#lengths[slot] = 0;
        this.#removed.add(slot);
      } else this.#slotOf.set(numbers[slot] ?? 0, slot);
    }
    this.#documents = documents;
    this.#words = wordTotal;
    return true;
  }

  /** Takes out what was removed: many at a time, since that means going through all words. */
  #sweep(): void {
    if (!this.#mustSweep) return;
    this.#mustSweep = false;
    for (const [word, postings] of this.#postings) {
      let kept = 0;
      for (let at = 0; at < postings.length; at++) {
        const slot = postings.slots[at] ?? 0;
        if (this.#removed.has(slot)) continue;
        postings.slots[kept] = slot;
        postings.counts[kept++] = postings.counts[at] ?? 0;
      }
      postings.length = kept;
      if (kept === 0) this.#postings.delete(word);
    }
  }

  #count(word: string, slot: number): void {
    let postings = this.#postings.get(word);
    if (postings === undefined) {
      postings = { slots: new Uint32Array(1), counts: new Uint8Array(1), length: 0 };
      this.#postings.set(word, postings);
    }
    const last = postings.length - 1;
    if (last >= 0 && postings.slots[last] === slot) {
      postings.counts[last] = Math.min(MOST_COUNTED, (postings.counts[last] ?? 0) + 1);
      return;
    }
    if (postings.length === postings.slots.length) {
      const size = Math.max(4, 2 * postings.length);
      postings.slots = grown(postings.slots, new Uint32Array(size));
      postings.counts = grown(postings.counts, new Uint8Array(size));
    }
    postings.slots[postings.length] = slot;
    postings.counts[postings.length] = 1;
    postings.length++;
  }

  /** Adds what a word is worth to the documents that have it; `found` is how many documents have a score. */
  #score(word: string, found: number): number {
    const postings = this.#postings.get(word);
    if (postings === undefined) return found;
    const { slots, counts, length } = postings;
    const scores = this.#scores;
    const lengths = this.#lengths;
    const weight = Math.log(1 + (this.#documents - length + 0.5) / (length + 0.5)) * (this.#k1 + 1);
    const least = this.#k1 * (1 - this.#b);
    const perWord = (this.#k1 * this.#b * this.#documents) / this.#words;
    for (let at = 0; at < length; at++) {
      const slot = slots[at] ?? 0;
      const frequency = counts[at] ?? 0;
      const before = scores[slot] ?? 0;
      if (before === 0) this.#touched[found++] = slot;
      scores[slot] = before + (weight * frequency) / (frequency + least + perWord * (lengths[slot] ?? 0));
    }
    return found;
  }
}

function grown<Kind extends Float64Array | Uint32Array | Uint8Array>(from: Kind, to: Kind): Kind {
  to.set(from);
  return to;
}

function joined(parts: readonly (Float64Array | Uint32Array | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return bytes;
}

type Kind<List> = (new (buffer: ArrayBuffer, offset: number, length: number) => List) & {
  BYTES_PER_ELEMENT: number;
};

/** Cuts lists off the bytes, one after the other. Null when there are not so many numbers left. */
function cutter(bytes: Uint8Array<ArrayBuffer>) {
  let at = 0;
  return <List>(kind: Kind<List>, count: number): List | null => {
    if (at + count * kind.BYTES_PER_ELEMENT > bytes.byteLength) return null;
    const list = new kind(bytes.buffer, bytes.byteOffset + at, count);
    at += count * kind.BYTES_PER_ELEMENT;
    return list;
  };
}
