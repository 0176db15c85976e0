import { isRecord } from '../base/json.js';
import { readSegment, type LexicalSegment } from './lexical-segment.js';
import type { MemoryEntry } from './memory-entry.js';

/** Changes whenever the same memories would give another chunk: other terms of a text, another reading of who said it. */
const FORMAT = 2;

/** What finds the memories of a range of numbers: plain data that is stored beside them and taken in without reading them. */
export interface MemoryChunk {
  /** In the order of their numbers. */
  entries: MemoryEntry[];
  words: LexicalSegment;
  /** As the index of vectors packed them: those of the embedder, those of the former one. Null without an embedder. */
  vectors: { now: unknown; former: unknown } | null;
}

/** What else a chunk depends on: with another project, or other embedders, it is of no use. */
export interface ChunkScope {
  project: string;
  embedders: string;
}

/** Columns instead of rows: a tenth of the time to store and to read. */
interface StoredChunk extends ChunkScope {
  format: number;
  ids: string[];
  numbers: Float64Array;
  createdAt: Float64Array;
  characters: Float64Array;
  lengths: Uint32Array;
  marks: Uint8Array;
  /** Places in `speakerNames`. */
  speakers: Uint32Array;
  speakerNames: string[];
  words: LexicalSegment;
  vectors: MemoryChunk['vectors'];
}

const PINNED = 1;
const OWN = 2;
const TOLD = 4;
const ASKS = 8;
const TOUCHED = 16;

/** A chunk as it is stored. */
export function writeChunk({ entries, words, vectors }: MemoryChunk, scope: ChunkScope): StoredChunk {
  const speakerNames = [...new Set(entries.map(({ speaker }) => speaker))];
  const placeOf = new Map(speakerNames.map((name, place) => [name, place]));
  const marks = ({ pinned, own, told, asks, touched }: MemoryEntry) =>
    (pinned ? PINNED : 0) | (own ? OWN : 0) | (told ? TOLD : 0) | (asks ? ASKS : 0) | (touched ? TOUCHED : 0);
  return {
    ...scope,
    format: FORMAT,
    ids: entries.map(({ id }) => id),
    numbers: Float64Array.from(entries, ({ number }) => number),
    createdAt: Float64Array.from(entries, ({ createdAt }) => createdAt),
    characters: Float64Array.from(entries, ({ characters }) => characters),
    lengths: Uint32Array.from(entries, ({ length }) => length),
    marks: Uint8Array.from(entries, marks),
    speakers: Uint32Array.from(entries, ({ speaker }) => placeOf.get(speaker) ?? 0),
    speakerNames,
    words,
    vectors,
  };
}

/** A stored value as a chunk; null when it is none, of another release, or of another scope: then the memories themselves tell. */
export function readChunk(value: unknown, scope: ChunkScope): MemoryChunk | null {
  if (!isRecord(value)) return null;
  const { format, project, embedders, vectors } = value;
  if (format !== FORMAT || project !== scope.project || embedders !== scope.embedders) return null;
  const { ids, numbers, createdAt, characters, lengths, marks, speakers, speakerNames } = value;
  if (!isTexts(ids) || !isTexts(speakerNames)) return null;
  const columns = [numbers, createdAt, characters, lengths, marks, speakers];
  if (!columns.every((column) => isNumbers(column) && column.length === ids.length)) return null;
  const words = readSegment(value['words']);
  if (words === null || !(vectors === null || isRecord(vectors))) return null;
  const at = (column: unknown, place: number) => (column as Float64Array)[place] ?? 0;
  const entries = ids.map((id, place): MemoryEntry => {
    const mark = at(marks, place);
    return {
      id,
      number: at(numbers, place),
      createdAt: at(createdAt, place),
      characters: at(characters, place),
      pinned: (mark & PINNED) !== 0,
      own: (mark & OWN) !== 0,
      speaker: speakerNames[at(speakers, place)] ?? '',
      told: (mark & TOLD) !== 0,
      asks: (mark & ASKS) !== 0,
      touched: (mark & TOUCHED) !== 0,
      length: at(lengths, place),
    };
  });
  return { entries, words, vectors: vectors && { now: vectors['now'], former: vectors['former'] } };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isNumbers(value: unknown): value is Float64Array | Uint32Array | Uint8Array {
  return value instanceof Float64Array || value instanceof Uint32Array || value instanceof Uint8Array;
}
