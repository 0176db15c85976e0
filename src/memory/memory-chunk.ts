import { isRecord } from '../core/json.js';
import { CHUNK_ITEMS } from '../core/long-term.js';
import { readSegment, type LexicalSegment } from './lexical-segment.js';
import { OWN, readColumns, type MemoryColumns } from './memory-columns.js';

/**
 * Version of the chunk format. Increase it whenever the same memories would produce a different chunk, such as after a change of `termsOf`
 * or of how speakers are read.
 */
const FORMAT = 6;

/**
 * Word index and metadata of the memories in a range of numbers, as plain data. It is loaded without reading the memories. It covers the
 * numbers from the start of the chunk's range up to `last`.
 */
export interface WordsChunk {
  columns: MemoryColumns;
  words: LexicalSegment;
  /** `last` is the last number in the chunk; `own` lists the numbers of this project's memories. */
  last: number;
  own: number[];
}

/** Packed vectors of the same memories: `now` from the current embedder, `former` from the previous one. */
export interface VectorsChunk {
  now: unknown;
  former: unknown;
}

/** Returns the storable form of a chunk's words. It can only be loaded for the same project. */
export function writeWords(columns: MemoryColumns, words: LexicalSegment, project: string): unknown {
  return { format: FORMAT, project, columns, words };
}

/** Returns the storable form of a chunk's vectors, for memories up to `last`. It can only be loaded with the same embedders. */
export function writeVectors(vectors: VectorsChunk, last: number, embedders: string): unknown {
  return { format: FORMAT, embedders, last, ...vectors };
}

/**
 * Reads stored words of this chunk. Returns null when they are invalid or from another release or project; then the memories themselves
 * must be read.
 */
export function readWords(value: unknown, chunk: number, project: string): WordsChunk | null {
  if (!isRecord(value) || value['format'] !== FORMAT || value['project'] !== project) return null;
  const columns = readColumns(value['columns']);
  const words = readSegment(value['words']);
  if (columns === null || words === null) return null;
  const { last, own } = numbersOf(columns, chunk);
  if (own.length !== words.documents.length || own.some((number, at) => number !== words.documents[at]))
    return null;
  return { columns, words, last, own };
}

/** Reads stored vectors. Returns null when they are invalid, from another release, or for other memories or embedders. */
export function readVectors(value: unknown, last: number, embedders: string): VectorsChunk | null {
  if (!isRecord(value) || value['format'] !== FORMAT) return null;
  if (value['embedders'] !== embedders || value['last'] !== last) return null;
  return { now: value['now'], former: value['former'] };
}

/** Returns the last number in a chunk (one before its first when it is empty) and the numbers of this project's memories. */
export function numbersOf({ marks }: MemoryColumns, chunk: number): { last: number; own: number[] } {
  const first = chunk * CHUNK_ITEMS;
  const own: number[] = [];
  let last = first - 1;
  for (let place = 0; place < CHUNK_ITEMS; place++) {
    const mark = marks[place] ?? 0;
    if (mark !== 0) last = first + place;
    if ((mark & OWN) !== 0) own.push(first + place);
  }
  return { last, own };
}
