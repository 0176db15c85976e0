import { RoleZeroError } from '../../base/error.js';
import { isRecord } from '../../base/json.js';
import { Best, byScore, type Scored } from '../best.js';
import type { VectorIndex } from '../vector-index.js';
import { plainKernel, simdKernel, type Kernel } from './kernel.js';

/** Rows that lie together. */
const ROWS = 1024;
/** Up to so many rows every one is compared by its bytes: the signs would save nothing. */
const FEW = 4096;
/** How many candidates the signs bring in: for each result that is wanted, at least, and as a share of all rows. */
const PER_RESULT = 8;
const LEAST = 1000;
const SHARE = 1 / 50;
/** How many the bytes bring in for the finer numbers to decide: three for each result, but no more than so many beyond them. */
const FINER = 3;
const BEYOND = 50;
const MOST_DIMENSIONS = 4096;
/** The largest value of a query's numbers: products of a row then add up within 32 bits. */
const QUERY_RANGE = 4096;

/** One of the things a chunk holds of each of its rows: where the first begins, and how many bytes each has. */
interface Part {
  from: number;
  bytes: number;
}

export interface QuantizedVectorsOptions {
  /** `plain` does without WebAssembly. Default: SIMD where there is some. */
  kernel?: 'simd' | 'plain';
}

/** Some documents as they are saved: for each its number, its scale, its bytes, what these leave out, and its signs. */
export interface PackedVectors {
  dimensions: number;
  documents: Float64Array;
  scales: Float32Array;
  bytes: Uint8Array;
  fine: Uint8Array;
  signs: Uint8Array;
}

/**
 * Compares a query with a hundred thousand vectors in about a millisecond. Each vector is kept as one bit, as one byte, and as one bit
 * more of each dimension: the first bits of all are counted against those of the query, the best few hundredths are compared by their
 * bytes, and three times as many as are wanted by nine bits. What is found is that of an exact search, but for one in a hundred; up to
 * 4,096 vectors the bytes of all are compared. 1.27 bytes of memory a dimension.
 */
export class QuantizedVectors implements VectorIndex {
  readonly #kernel: Kernel;
  /** Dimensions, filled up to whole 64-bit words. */
  readonly #size: number;
  readonly #words: number;
  readonly #documents: number[] = [];
  readonly #places = new Map<number, number>();
  /** Rows that there is memory for. */
  #room = 0;
  /** Byte offsets: scratch first, then the chunks. */
  readonly #at: {
    query: number;
    signs: number;
    histogram: number;
    found: number;
    scores: number;
    chunks: number;
  };
  readonly #chunk: { distances: number; bytes: number };
  readonly #signs: Part;
  readonly #bytewise: Part;
  readonly #fine: Part;
  readonly #scales: Part;

  /** @throws RoleZeroError `invalid` for a number of dimensions that makes no sense. */
  constructor(
    private readonly dimensions: number,
    options: QuantizedVectorsOptions = {},
  ) {
    if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MOST_DIMENSIONS) {
      throw new RoleZeroError(
        'invalid',
        `A vector has 1 to ${MOST_DIMENSIONS} dimensions, not ${dimensions}.`,
        {
          dimensions,
        },
      );
    }
    this.#kernel = (options.kernel === 'plain' ? null : simdKernel()) ?? plainKernel();
    this.#words = Math.ceil(dimensions / 64);
    this.#size = 64 * this.#words;
    const lay = (...sizes: number[]) => {
      let next = 0;
      return sizes.map((bytes) => {
        const here = next;
        next = Math.ceil((next + bytes) / 64) * 64;
        return here;
      });
    };
    const histogram = 4 * (this.#size + 1);
    const [signs = 0, query = 0, counts = 0, found = 0, scores = 0, chunks = 0] = lay(
      8 * this.#words,
      2 * this.#size,
      histogram,
      4 * ROWS,
      4 * ROWS,
      0,
    );
    this.#at = { signs, query, histogram: counts, found, scores, chunks };
    const [, rows = 0, fine = 0, scales = 0, distances = 0, bytes = 0] = lay(
      8 * this.#words * ROWS, // the signs come first
      this.#size * ROWS,
      (this.#size / 8) * ROWS,
      4 * ROWS,
      2 * ROWS,
      0,
    );
    this.#chunk = { distances, bytes };
    this.#signs = { from: 0, bytes: 8 * this.#words };
    this.#bytewise = { from: rows, bytes: this.#size };
    this.#fine = { from: fine, bytes: this.#size / 8 };
    this.#scales = { from: scales, bytes: 4 };
    this.#kernel.reserve(chunks);
  }

  get size(): number {
    return this.#documents.length;
  }

  /** Bytes of memory in use for the vectors. */
  get bytes(): number {
    return this.#kernel.buffer.byteLength;
  }

  has(document: number): boolean {
    return this.#places.has(document);
  }

  add(document: number, unit: Float32Array): void {
    this.#checkLength(unit);
    this.#write(this.#places.get(document) ?? this.#newPlace(document), unit);
  }

  /** The last row takes its place, and where that was is zero. */
  remove(document: number): void {
    const place = this.#places.get(document);
    if (place === undefined) return;
    const last = this.#documents.length - 1;
    const moved = this.#documents[last];
    for (const part of [this.#signs, this.#bytewise, this.#fine, this.#scales]) {
      const end = this.#bytes(this.#partAt(last, part), part.bytes);
      if (place !== last) this.#bytes(this.#partAt(place, part), part.bytes).set(end);
      end.fill(0);
    }
    this.#documents.pop();
    this.#places.delete(document);
    if (moved !== undefined && place !== last) {
      this.#documents[place] = moved;
      this.#places.set(moved, place);
    }
  }

  search(unit: Float32Array, count: number): Scored[] {
    this.#checkLength(unit);
    if (count <= 0 || this.size === 0) return [];
    const scale = this.#writeQuery(unit);
    const best = new Best(Math.min(FINER * count, count + BEYOND));
    const limit =
      this.size <= FEW ? null : this.#scan(Math.max(LEAST, PER_RESULT * count, SHARE * this.size));
    for (let chunk = 0; chunk < this.#chunks; chunk++) this.#offer(chunk, limit, scale, best);
    const halves = halvesOf(unit, this.#fine.bytes);
    const finer = best
      .take()
      .map(({ document }) => ({ document, score: this.#score(document, unit, halves) }));
    return byScore(finer).slice(0, count);
  }

  pack(documents: readonly number[]): PackedVectors {
    const there = documents.filter((document) => this.#places.has(document));
    const packed: PackedVectors = {
      dimensions: this.dimensions,
      documents: Float64Array.from(there),
      scales: new Float32Array(there.length),
      bytes: new Uint8Array(there.length * this.#size),
      fine: new Uint8Array(there.length * (this.#size / 8)),
      signs: new Uint8Array(there.length * 8 * this.#words),
    };
    for (const [row, document] of there.entries()) {
      const place = this.#places.get(document) ?? 0;
      for (const [part, to] of this.#partsOf(packed))
        to.set(this.#bytes(this.#partAt(place, part), part.bytes), row * part.bytes);
    }
    return packed;
  }

  unpack(packed: unknown): number[] | null {
    const vectors = readPacked(packed);
    if (vectors === null || vectors.dimensions !== this.dimensions) return null;
    const documents = [...vectors.documents];
    if (this.#partsOf(vectors).some(([{ bytes }, from]) => from.length !== documents.length * bytes))
      return null;
    if (documents.some((document) => this.#places.has(document))) return null;
    const first = this.size;
    this.#reserve(first + documents.length);
    for (const document of documents) this.#newPlace(document);
    for (let row = 0; row < documents.length;) {
      const place = first + row;
      const end = Math.min(documents.length, row + ROWS - (place % ROWS)); // as many as lie together
      for (const [part, from] of this.#partsOf(vectors)) {
        const rows = from.subarray(row * part.bytes, end * part.bytes);
        this.#bytes(this.#partAt(place, part), rows.length).set(rows);
      }
      row = end;
    }
    return documents;
  }

  /** Where each part of packed rows stands. */
  #partsOf({ scales, bytes, fine, signs }: PackedVectors): [Part, Uint8Array][] {
    return [
      [this.#scales, new Uint8Array(scales.buffer, scales.byteOffset, scales.byteLength)],
      [this.#bytewise, bytes],
      [this.#fine, fine],
      [this.#signs, signs],
    ];
  }

  #newPlace(document: number): number {
    const place = this.#documents.length;
    this.#reserve(place + 1);
    this.#documents.push(document);
    this.#places.set(document, place);
    return place;
  }

  /** Makes room for so many rows in all. */
  #reserve(rows: number): void {
    if (rows <= this.#room) return;
    this.#kernel.reserve(this.#chunkAt(rows - 1) + this.#chunk.bytes);
    this.#room = ROWS * (chunkOf(rows - 1) + 1);
  }

  get #chunks(): number {
    return Math.ceil(this.#documents.length / ROWS);
  }

  #rowsOf(chunk: number): number {
    return Math.min(ROWS, this.#documents.length - chunk * ROWS);
  }

  #chunkAt(place: number): number {
    return this.#at.chunks + chunkOf(place) * this.#chunk.bytes;
  }

  #partAt(place: number, { from, bytes }: Part): number {
    return this.#chunkAt(place) + from + (place % ROWS) * bytes;
  }

  #bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#kernel.buffer, at, length);
  }

  #write(place: number, unit: Float32Array): void {
    const row = new Int8Array(this.#kernel.buffer, this.#partAt(place, this.#bytewise), this.#size);
    const most = largest(unit);
    const factor = most === 0 ? 0 : 127 / most;
    const fine = this.#bytes(this.#partAt(place, this.#fine), this.#fine.bytes).fill(0);
    let length = 0;
    let kept = 0;
    for (let at = 0; at < unit.length; at++) {
      const number = unit[at] ?? 0;
      const value = number * factor;
      const whole = (row[at] = Math.round(value));
      const isAbove = value > whole;
      if (isAbove) fine[at >> 3] = (fine[at >> 3] ?? 0) | (1 << (at & 7));
      length += number * number;
      kept += number * (whole + middleOf(isAbove));
    }
    // What rounding took from the length or added to it would count for or against the vector in every search.
    new Float32Array(this.#kernel.buffer, this.#partAt(place, this.#scales), 1)[0] =
      kept > 0 ? length / kept : 0;
    writeSigns(this.#bytes(this.#partAt(place, this.#signs), 8 * this.#words), unit);
  }

  /** The cosine by all that is kept of a document. */
  #score(document: number, unit: Float32Array, halves: Float64Array): number {
    const place = this.#places.get(document) ?? 0;
    const { buffer } = this.#kernel;
    const row = new Int8Array(buffer, this.#partAt(place, this.#bytewise), this.#size);
    const fine = this.#bytes(this.#partAt(place, this.#fine), this.#fine.bytes);
    const [scale = 0] = new Float32Array(buffer, this.#partAt(place, this.#scales), 1);
    let sum = 0;
    for (let at = 0; at < unit.length; at++) sum += (unit[at] ?? 0) * (row[at] ?? 0);
    for (let at = 0; at < fine.length; at++) sum += halves[256 * at + (fine[at] ?? 0)] ?? 0;
    return sum * scale;
  }

  /** What a product with the query has to be multiplied with. */
  #writeQuery(unit: Float32Array): number {
    const query = new Int16Array(this.#kernel.buffer, this.#at.query, this.#size);
    const most = largest(unit);
    const factor = most === 0 ? 0 : QUERY_RANGE / most;
    for (let at = 0; at < unit.length; at++) query[at] = Math.round((unit[at] ?? 0) * factor);
    writeSigns(this.#bytes(this.#at.signs, 8 * this.#words), unit);
    return most / QUERY_RANGE;
  }

  /** Counts the signs of all rows; the distance below which there are about as many rows as wanted. */
  #scan(wanted: number): number {
    const counts = new Int32Array(this.#kernel.buffer, this.#at.histogram, this.#size + 1).fill(0);
    for (let chunk = 0; chunk < this.#chunks; chunk++) {
      const at = this.#chunkAt(chunk * ROWS);
      const { signs, histogram } = this.#at;
      this.#kernel.scan(signs, at, this.#rowsOf(chunk), this.#words, at + this.#chunk.distances, histogram);
    }
    let found = 0;
    let limit = 0;
    while (found < wanted && limit <= this.#size) found += counts[limit++] ?? 0;
    return limit;
  }

  /** Offers the rows of a chunk that are nearer than the limit, or all, by their bytes. */
  #offer(chunk: number, limit: number | null, scale: number, best: Best): void {
    const at = this.#chunkAt(chunk * ROWS);
    const { query, found, scores } = this.#at;
    const { buffer } = this.#kernel;
    const rows = this.#rowsOf(chunk);
    let count = rows;
    if (limit === null) {
      const places = new Int32Array(buffer, found, rows);
      for (let row = 0; row < rows; row++) places[row] = row;
    } else count = this.#kernel.gather(at + this.#chunk.distances, rows, limit, found);
    this.#kernel.rescore(
      query,
      at + this.#bytewise.from,
      at + this.#scales.from,
      this.#size,
      found,
      count,
      scores,
    );
    const places = new Int32Array(buffer, found, count);
    const products = new Float32Array(buffer, scores, count);
    for (let one = 0; one < count; one++) {
      const document = this.#documents[chunk * ROWS + (places[one] ?? 0)];
      if (document !== undefined) best.offer(document, (products[one] ?? 0) * scale);
    }
  }

  #checkLength(unit: Float32Array): void {
    if (unit.length === this.dimensions) return;
    throw new RoleZeroError(
      'invalid',
      `This index is of vectors of ${this.dimensions} numbers, not ${unit.length}.`,
      { dimensions: this.dimensions, length: unit.length },
    );
  }
}

/** A stored value as packed vectors; null when it is none. */
function readPacked(value: unknown): PackedVectors | null {
  if (!isRecord(value)) return null;
  const { dimensions, documents, scales, bytes, fine, signs } = value;
  if (typeof dimensions !== 'number' || !(documents instanceof Float64Array)) return null;
  if (!(scales instanceof Float32Array && bytes instanceof Uint8Array)) return null;
  if (!(fine instanceof Uint8Array && signs instanceof Uint8Array)) return null;
  return { dimensions, documents, scales, bytes, fine, signs };
}

/** Which half of the step of a byte a number lies in, by the middle of that half. */
function middleOf(isAbove: boolean): number {
  return isAbove ? 0.25 : -0.25;
}

/** What each byte of fine bits, in each place, adds to a product with this vector: one look instead of eight. */
function halvesOf(unit: Float32Array, bytes: number): Float64Array {
  const halves = new Float64Array(256 * bytes);
  for (let byte = 0; byte < bytes; byte++) {
    const eight = unit.subarray(8 * byte, 8 * byte + 8);
    halves[256 * byte] = eight.reduce((sum, value) => sum + value * middleOf(false), 0);
    for (let bits = 1; bits < 256; bits++) {
      const lowest = 31 - Math.clz32(bits & -bits);
      const others = halves[256 * byte + (bits & (bits - 1))] ?? 0;
      halves[256 * byte + bits] = others + (eight[lowest] ?? 0) * (middleOf(true) - middleOf(false));
    }
  }
  return halves;
}

function chunkOf(place: number): number {
  return Math.floor(place / ROWS);
}

function largest(values: Float32Array): number {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}

/** One bit for each number: whether it is above zero. */
function writeSigns(signs: Uint8Array, unit: Float32Array): void {
  signs.fill(0);
  for (let at = 0; at < unit.length; at++)
    if ((unit[at] ?? 0) > 0) signs[at >> 3] = (signs[at >> 3] ?? 0) | (1 << (at & 7));
}
