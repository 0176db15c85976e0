import { isRecord } from '../base/json.js';
import { CHUNK_ITEMS } from '../base/long-term.js';
import { readSegment, type LexicalSegment } from './lexical-segment.js';
import { OWN, readColumns, type MemoryColumns } from './memory-columns.js';

/** Changes whenever the same memories would give another chunk: other terms of a text, another reading of who said it. */
const FORMAT = 3;

/**
 * What finds the memories of a range of numbers by their words, and tells of them: plain data that is stored beside them and taken in
 * without reading them. It is of those from the first number of the chunk's span up to the last that is in it.
 */
export interface WordsChunk {
  columns: MemoryColumns;
  words: LexicalSegment;
  /** The last number, and those of this project. */
  last: number;
  own: number[];
}

/** The vectors of the same memories, as the index packed them: those of the embedder, those of the former one. */
export interface VectorsChunk {
  now: unknown;
  former: unknown;
}

/** The words of a chunk as they are stored; of use to one who remembers for the same project. */
export function writeWords(columns: MemoryColumns, words: LexicalSegment, project: string): unknown {
  return { format: FORMAT, project, columns, words };
}

/** The vectors of a chunk as they are stored, of memories up to `last`; of use with the same embedders. */
export function writeVectors(vectors: VectorsChunk, last: number, embedders: string): unknown {
  return { format: FORMAT, embedders, last, ...vectors };
}

/** A stored value as the words of this chunk; null when it is none, of another release or project: then the memories themselves tell. */
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

/** A stored value as vectors; null when it is none, of another release, of other memories or embedders. */
export function readVectors(value: unknown, last: number, embedders: string): VectorsChunk | null {
  if (!isRecord(value) || value['format'] !== FORMAT) return null;
  if (value['embedders'] !== embedders || value['last'] !== last) return null;
  return { now: value['now'], former: value['former'] };
}

/** The last number in the span of a chunk, one before it when there is none, and those of this project. */
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
