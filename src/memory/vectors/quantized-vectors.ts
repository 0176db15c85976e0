import { RoleZeroError } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import { TopScores, type Scored } from '../top-scores.js';
import type { VectorIndex } from '../vector-index.js';
import { PlainKernel, simdKernel, type Kernel } from './kernel.js';

/** Number of rows per chunk. */
const CHUNK_ROWS = 1024;
/** Up to this number of rows, every row is compared with nine bits per dimension, because a selection by signs would save nothing. */
const FEW = 4096;
/** Number of candidates that the signs select: per wanted result, at least, and as a share of all rows. */
const PER_RESULT = 8;
const MIN_CANDIDATES_BY_SIGNS = 1000;
const SHARE = 1 / 50;
const MAX_DIMENSIONS = 4096;
/** Maximum magnitude of a query value and of a row value, so that the sum of products fits into 32 bits. */
const QUERY_RANGE = 4096;
const ROW_RANGE = 4 * 127 + 1;

/** Layout of one field in a chunk: offset of the first row and bytes per row. */
interface FieldLayout {
  from: number;
  bytes: number;
}

export interface QuantizedVectorsOptions {
  /** `plain` does not use WebAssembly. By default, uses SIMD where it is available. */
  kernel?: 'simd' | 'plain';
}

/** Storable form of documents: number, scale, bytes, fine bits, and signs of each. */
export interface PackedVectors {
  dimensions: number;
  documents: Float64Array;
  scales: Float32Array;
  bytes: Uint8Array;
  fine: Uint8Array;
  signs: Uint8Array;
}

/**
 * Vector index that compares a query with 100,000 vectors in about a millisecond. It uses 1.27 bytes of memory per dimension.
 *
 * Each dimension is stored as a sign bit, a byte, and one additional bit. The signs of all vectors are compared with those of the query.
 * Then the best few percent are compared with nine bits. About 99% of the results equal those of an exact search. Up to 4,096 vectors, all
 * are compared with nine bits.
 */
export class QuantizedVectors implements VectorIndex {
  readonly #dimensions: number;
  readonly #kernel: Kernel;
  /** Number of dimensions, rounded up to whole 64-bit words. */
  readonly #size: number;
  readonly #words: number;
  readonly #documents: number[] = [];
  readonly #places = new Map<number, number>();
  /** Number of rows that memory is reserved for. */
  #room = 0;
  /** Byte offsets: scratch buffers first, then the chunks. */
  readonly #at: {
    query: number;
    signs: number;
    vector: number;
    histogram: number;
    found: number;
    scores: number;
    chunks: number;
  };
  readonly #chunk: { distances: number; bytes: number };
  readonly #signs: FieldLayout;
  readonly #bytewise: FieldLayout;
  readonly #fine: FieldLayout;
  readonly #scales: FieldLayout;

  /** @throws RoleZeroError `invalid` unless the number of dimensions is an integer from 1 to 4,096. */
  constructor(dimensions: number, options: QuantizedVectorsOptions = {}) {
    if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS) {
      throw new RoleZeroError(
        'invalid',
        `A vector has 1 to ${MAX_DIMENSIONS} dimensions, not ${dimensions}.`,
        { dimensions },
      );
    }
    this.#dimensions = dimensions;
    this.#kernel = (options.kernel === 'plain' ? null : simdKernel()) ?? new PlainKernel();
    this.#words = Math.ceil(dimensions / 64);
    this.#size = 64 * this.#words;
    const { end: chunks, ...scratch } = layOut({
      signs: 8 * this.#words,
      query: 2 * this.#size,
      vector: 4 * this.#size,
      histogram: 4 * (this.#size + 1),
      found: 4 * CHUNK_ROWS,
      scores: 4 * CHUNK_ROWS,
    });
    this.#at = { ...scratch, chunks };
    const chunk = layOut({
      signs: 8 * this.#words * CHUNK_ROWS,
      bytes: this.#size * CHUNK_ROWS,
      fine: (this.#size / 8) * CHUNK_ROWS,
      scales: 4 * CHUNK_ROWS,
      distances: 2 * CHUNK_ROWS,
    });
    this.#chunk = { distances: chunk.distances, bytes: chunk.end };
    this.#signs = { from: chunk.signs, bytes: 8 * this.#words };
    this.#bytewise = { from: chunk.bytes, bytes: this.#size };
    this.#fine = { from: chunk.fine, bytes: this.#size / 8 };
    this.#scales = { from: chunk.scales, bytes: 4 };
    this.#kernel.reserve(chunks);
  }

  get size(): number {
    return this.#documents.length;
  }

  /** Bytes of memory allocated for the vectors. */
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

  /** Removes a vector. Moves the last row into its place and fills the old place with zeros. */
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
    const best = new TopScores(count);
    const limit =
      this.size <= FEW
        ? null
        : this.#scan(Math.max(MIN_CANDIDATES_BY_SIGNS, PER_RESULT * count, SHARE * this.size));
    const places = new Int32Array(this.#kernel.buffer, this.#at.found, CHUNK_ROWS);
    const products = new Float32Array(this.#kernel.buffer, this.#at.scores, CHUNK_ROWS);
    for (let chunk = 0; chunk < this.#chunks; chunk++) {
      const compared = this.#compare(chunk, limit, places);
      for (let at = 0; at < compared; at++) {
        const score = (products[at] ?? 0) * scale;
        if (score >= best.least)
          best.offer(this.#documents[chunk * CHUNK_ROWS + (places[at] ?? 0)] ?? 0, score);
      }
    }
    return best.take();
  }

  pack(documents: readonly number[]): PackedVectors {
    const there = documents.filter((document) => this.#places.has(document));
    const packed: PackedVectors = {
      dimensions: this.#dimensions,
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
    if (vectors === null || vectors.dimensions !== this.#dimensions) return null;
    const documents = [...vectors.documents];
    if (this.#partsOf(vectors).some(([{ bytes }, from]) => from.length !== documents.length * bytes))
      return null;
    if (documents.some((document) => this.#places.has(document))) return null;
    const first = this.size;
    this.#reserve(first + documents.length);
    for (const document of documents) this.#newPlace(document);
    for (let row = 0; row < documents.length;) {
      const place = first + row;
      const end = Math.min(documents.length, row + CHUNK_ROWS - (place % CHUNK_ROWS)); // up to the end of the chunk
      for (const [part, from] of this.#partsOf(vectors)) {
        const rows = from.subarray(row * part.bytes, end * part.bytes);
        this.#bytes(this.#partAt(place, part), rows.length).set(rows);
      }
      row = end;
    }
    return documents;
  }

  /** Returns each field's layout with the packed data. */
  #partsOf({ scales, bytes, fine, signs }: PackedVectors): [FieldLayout, Uint8Array][] {
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

  /** Reserves memory for this total number of rows. */
  #reserve(rows: number): void {
    if (rows <= this.#room) return;
    this.#kernel.reserve(this.#chunkAt(rows - 1) + this.#chunk.bytes);
    this.#room = CHUNK_ROWS * (vectorChunkOf(rows - 1) + 1);
  }

  get #chunks(): number {
    return Math.ceil(this.#documents.length / CHUNK_ROWS);
  }

  #rowsOf(chunk: number): number {
    return Math.min(CHUNK_ROWS, this.#documents.length - chunk * CHUNK_ROWS);
  }

  #chunkAt(place: number): number {
    return this.#at.chunks + vectorChunkOf(place) * this.#chunk.bytes;
  }

  #partAt(place: number, { from, bytes }: FieldLayout): number {
    return this.#chunkAt(place) + from + (place % CHUNK_ROWS) * bytes;
  }

  #bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#kernel.buffer, at, length);
  }

  #write(place: number, unit: Float32Array): void {
    const { vector } = this.#at;
    new Float32Array(this.#kernel.buffer, vector, this.#dimensions).set(unit);
    const row = this.#partAt(place, this.#bytewise);
    const fine = this.#partAt(place, this.#fine);
    const signs = this.#partAt(place, this.#signs);
    const scale = this.#partAt(place, this.#scales);
    this.#kernel.write(vector, row, fine, signs, scale, this.#size);
  }

  /** Writes the quantized query. Returns the factor that converts a product with it to a cosine. */
  #writeQuery(unit: Float32Array): number {
    const query = new Int16Array(this.#kernel.buffer, this.#at.query, this.#size);
    const most = largest(unit);
    const range = Math.min(QUERY_RANGE, Math.floor(2 ** 31 / (ROW_RANGE * this.#size)));
    const factor = most === 0 ? 0 : range / most;
    for (let at = 0; at < unit.length; at++) query[at] = Math.round((unit[at] ?? 0) * factor);
    writeSigns(this.#bytes(this.#at.signs, 8 * this.#words), unit);
    return most / (4 * range); // row values are stored four times as large
  }

  /** Counts the sign distances of all rows. Returns the limit below which about `wanted` rows are. */
  #scan(wanted: number): number {
    const counts = new Int32Array(this.#kernel.buffer, this.#at.histogram, this.#size + 1).fill(0);
    for (let chunk = 0; chunk < this.#chunks; chunk++) {
      const at = this.#chunkAt(chunk * CHUNK_ROWS);
      const { signs, histogram } = this.#at;
      this.#kernel.scan(signs, at, this.#rowsOf(chunk), this.#words, at + this.#chunk.distances, histogram);
    }
    let found = 0;
    let limit = 0;
    while (found < wanted && limit <= this.#size) found += counts[limit++] ?? 0;
    return limit;
  }

  /** Scores the rows of a chunk below the limit (all rows if it is null) and writes their places. Returns their number. */
  #compare(chunk: number, limit: number | null, places: Int32Array): number {
    const at = this.#chunkAt(chunk * CHUNK_ROWS);
    const { query, found, scores } = this.#at;
    const rows = this.#rowsOf(chunk);
    let count = rows;
    if (limit === null) for (let row = 0; row < rows; row++) places[row] = row;
    else count = this.#kernel.gather(at + this.#chunk.distances, rows, limit, found);
    const [bytes, fine, scales] = [at + this.#bytewise.from, at + this.#fine.from, at + this.#scales.from];
    this.#kernel.rescore(query, bytes, fine, scales, this.#size, found, count, scores);
    return count;
  }

  #checkLength(unit: Float32Array): void {
    if (unit.length === this.#dimensions) return;
    throw new RoleZeroError(
      'invalid',
      `This index is of vectors of ${this.#dimensions} numbers, not ${unit.length}.`,
      { dimensions: this.#dimensions, length: unit.length },
    );
  }
}

/** Validates a stored value as packed vectors. Returns null when it is invalid. */
function readPacked(value: unknown): PackedVectors | null {
  if (!isRecord(value)) return null;
  const { dimensions, documents, scales, bytes, fine, signs } = value;
  if (typeof dimensions !== 'number' || !(documents instanceof Float64Array)) return null;
  if (!(scales instanceof Float32Array && bytes instanceof Uint8Array)) return null;
  if (!(fine instanceof Uint8Array && signs instanceof Uint8Array)) return null;
  return { dimensions, documents, scales, bytes, fine, signs };
}

/** Returns the offset of each block when they follow each other, aligned to 64 bytes, and the end of the last one. */
function layOut<Name extends string>(sizes: Record<Name, number>): Record<Name | 'end', number> {
  let end = 0;
  const offsets = Object.entries<number>(sizes).map(([name, bytes]) => {
    const offset = end;
    end = Math.ceil((end + bytes) / 64) * 64;
    return [name, offset];
  });
  return { ...Object.fromEntries(offsets), end } as Record<Name | 'end', number>;
}

function vectorChunkOf(place: number): number {
  return Math.floor(place / CHUNK_ROWS);
}

function largest(values: Float32Array): number {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}

/** Writes one bit per value: 1 when it is positive. */
function writeSigns(signs: Uint8Array, unit: Float32Array): void {
  signs.fill(0);
  for (let at = 0; at < unit.length; at++)
    if ((unit[at] ?? 0) > 0) signs[at >> 3] = (signs[at >> 3] ?? 0) | (1 << (at & 7));
}
