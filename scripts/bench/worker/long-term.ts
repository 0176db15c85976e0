import type { Embedder } from '../../../src/core/model.js';
import type { StoredMemory } from '../../../src/core/long-term.js';
import { UserMessage } from '../../../src/core/message.js';
import type { SessionStore } from '../../../src/core/store.js';
import { LongTermMemory } from '../../../src/memory/long-term-memory.js';
import { quantizedVectors } from '../../../src/memory/vectors/index.js';
import { Journal } from '../../../src/agent/runtime/journal.js';
import { LongTermRows } from '../../../src/parts/long-term/long-term-rows.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { messages, randomNumbers, topicVectors } from './data.js';
import { EMPTY, queryTimes, timed, type Row } from './measure.js';

const DIMENSIONS = 384;
const FOUND = 10;
const QUERIES = 40;
/** Number of visits, an odd number. */
const VISITS = 5;
/** Memories per commit. */
const AT_ONCE = 5_000;
/** The newest memories, which are in no chunk yet: the average number. */
const NEWEST = 128;
const MINUTE = 60_000;

/** Vectors derived from the number at the start of a text: this measures the memory, not a model. */
function embedderOf(size: number): Embedder {
  const vectors = topicVectors(size, DIMENSIONS, 1);
  return {
    id: 'formula',
    dimensions: DIMENSIONS,
    embed: async (texts) =>
      texts.map((text) => vectors[Number(/\d+/.exec(text)?.[0] ?? 0) % size] ?? new Float32Array(DIMENSIONS)),
  };
}

/** A role's long-term memory over a session's database. */
async function openMemory(databaseName: string, embedder: Embedder | undefined) {
  const store = await indexedDbStorage({ databaseName, openMs: 60_000, transactionMs: 300_000 }).open(
    'bench',
  );
  const journal = new Journal(
    (writes) => store.commit(writes, store.random),
    () => undefined,
  );
  const context: Pick<SessionStore, 'read' | 'load' | 'openFile'> = {
    read: (table, keys) => store.read(table, keys),
    load: (table, range) => store.load(table, range),
    openFile: async (name) => (await store.openFile?.(name)) ?? null,
  };
  const rows = new LongTermRows(
    'Zero',
    () => journal,
    () => context,
  );
  const memory = new LongTermMemory({
    role: 'Zero',
    store: rows,
    maxItems: 1_000_000,
    maxCharacters: 1_000_000_000,
    vectors: quantizedVectors(),
    ...(embedder === undefined ? {} : { embedder }),
    warn: (message, error) => {
      throw new Error(message, { cause: error }); // A benchmark must not continue with less.
    },
  });
  await memory.restore();
  return { memory, journal, store, rows };
}

interface Question {
  item: number;
  query: string;
}

/** What a fresh worker measures: a memory from a closed database, and questions with their vectors. */
export interface Visit {
  databaseName: string;
  questions: Question[];
  /** Null for words alone. */
  vectors: Float32Array[] | null;
  /** Ends after the first recalled memories: the vectors are still missing. */
  isFirstOnly?: boolean;
}

/** Times in ms: to the first recalled memories, to the end of loading, and of later queries. `hits` is a share. */
export interface Visited {
  load: number;
  whole: number;
  p50: number;
  p95: number;
  hits: number;
}

/** Opens a memory and asks all questions. */
export async function visit({
  databaseName,
  questions,
  vectors,
  isFirstOnly = false,
}: Visit): Promise<Visited> {
  const vectorOf = new Map(questions.map(({ item }, at) => [item, vectors?.[at]]));
  const embedder: Embedder = {
    id: 'formula',
    dimensions: DIMENSIONS,
    embed: async (texts) =>
      texts.map((text) => vectorOf.get(Number.parseInt(text, 10)) ?? new Float32Array(DIMENSIONS)),
  };
  const start = performance.now();
  const { memory, store } = await openMemory(databaseName, vectors === null ? undefined : embedder);
  await memory.recallFor(questions[0]?.query ?? '', FOUND);
  const load = performance.now() - start;
  if (isFirstOnly) {
    await store.close();
    return { load, whole: 0, p50: 0, p95: 0, hits: 0 };
  }
  await memory.whole;
  const whole = performance.now() - start;
  const ask = async ({ query }: Question) => (await memory.recallFor(query, FOUND)).map(({ id }) => id);
  const times = await queryTimes(questions, ask);
  let hits = 0;
  for (const question of questions) if ((await ask(question)).includes(`m${question.item}`)) hits++;
  await store.close();
  return { load, whole, ...times, hits: hits / questions.length };
}

/** Runs a visit in a new worker with this script: its code is not compiled yet. */
async function visitAfresh(one: Visit): Promise<Visited> {
  const worker = new Worker(self.location.href, { type: 'module' });
  try {
    return await new Promise<Visited>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<{ visited?: Visited; failed?: string }>) =>
        data.visited === undefined ? reject(new Error(data.failed)) : resolve(data.visited);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage({ visit: one });
    });
  } finally {
    worker.terminate();
  }
}

/**
 * Measures long-term memory with and without an embedder in a database: from opening to the first recalled memories, and the duration of
 * later queries, including reading the results. Figures are medians of several visits, each in a new worker.
 */
export async function* measureLongTerm(size: number): AsyncGenerator<Row> {
  const texts = messages(size, 1);
  const questions = questionsOf(texts);
  for (const embedder of [undefined, embedderOf(size)]) {
    const databaseName = `bench-${size}-${embedder === undefined ? 'words' : 'both'}`;
    const [, build] = await timed(() => fill(databaseName, texts, embedder));
    const vectors = (await embedder?.embed(questions.map(({ item }) => String(item)))) ?? null;
    const visits: Visited[] = [];
    for (let at = 0; at < VISITS; at++) visits.push(await visitAfresh({ databaseName, questions, vectors }));
    const median = (of: keyof Visited) => medianOf(visits.map((one) => one[of]));
    const what = embedder === undefined ? 'words alone' : 'words and meaning';
    yield { ...EMPTY, what: `${what}, first visit after an import`, size, load: visits[0]?.load ?? null };
    yield {
      ...EMPTY,
      p50: median('p50'),
      p95: median('p95'),
      what,
      size,
      recall: median('hits'),
      build,
      load: median('load'),
      note:
        embedder === undefined
          ? ''
          : `first by words; by meaning, too, after ${median('whole').toFixed(0)} ms`,
    };
    await removeDatabase(databaseName);
  }
  yield await measureNotEmbedded(size, texts, questions);
}

/** Measures visits after an import whose vectors are still missing, because the embedder was not ready. */
async function measureNotEmbedded(
  size: number,
  texts: readonly string[],
  questions: Question[],
): Promise<Row> {
  const databaseName = `bench-${size}-missing`;
  await fill(databaseName, texts, embedderOf(1), false);
  const loads: number[] = [];
  for (let at = 0; at < VISITS; at++)
    loads.push((await visitAfresh({ databaseName, questions, vectors: [], isFirstOnly: true })).load);
  await removeDatabase(databaseName);
  return { ...EMPTY, what: 'imported, vectors missing', size, load: medianOf(loads) };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

async function removeDatabase(databaseName: string): Promise<void> {
  await indexedDbStorage({ databaseName }).remove('bench');
  await new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(databaseName);
    request.onsuccess = request.onerror = request.onblocked = resolve;
  });
}

/** Some of the messages, each with five of its words and its number. */
function questionsOf(texts: readonly string[]): Question[] {
  const random = randomNumbers(5);
  return Array.from({ length: QUERIES }, () => {
    const item = Math.floor(random() * texts.length);
    const words = (texts[item] ?? '').split(' ');
    const some = Array.from({ length: 5 }, () => words[Math.floor(random() * words.length)] ?? '');
    return { item, query: `${item} ${some.join(' ')}` };
  });
}

async function fill(
  databaseName: string,
  texts: readonly string[],
  embedder: Embedder | undefined,
  isEmbedded = true,
): Promise<void> {
  const { memory, journal, store, rows } = await openMemory(databaseName, embedder);
  const ends = [texts.length];
  for (let end = texts.length - NEWEST; end > 0; end -= AT_ONCE) ends.unshift(end);
  for (const [at, end] of ends.entries()) {
    const first = ends[at - 1] ?? 0;
    const items = texts
      .slice(first, end)
      .map((text, place) => itemOf(first + place, `${first + place} ${text}`));
    memory.import({ format: 'rolezero-memory', version: 1, items });
    if (isEmbedded) await memory.embedAll();
    await journal.commit();
  }
  await rows.copied;
  await journal.commit(); // the places of the copies
  await store.close();
}

/** One minute after the previous one; every twenty messages a new conversation. */
function itemOf(number: number, content: string): Omit<StoredMemory, 'number'> {
  const id = `m${number}`;
  const message = new UserMessage(content, { id, sentFrom: number % 2 === 0 ? 'Ann' : 'Bob' });
  return {
    id,
    role: 'Zero',
    project: '',
    createdAt: (number + 100 * Math.floor(number / 20)) * MINUTE,
    message: message.toData(),
  };
}
