import { create, insert, insertMultiple, load, save, search } from '@orama/orama';
import MiniSearch from 'minisearch';
import { LexicalIndex } from '../../../src/memory/lexical-index.js';
import { termsOf } from '../../../src/memory/words.js';
import { messages, randomNumbers } from './data.js';
import { bytesOf, EMPTY, queryTimes, rangesOf, throughDatabase, timed, type Row } from './measure.js';

const FOUND = 10;
const QUERIES = 40;

/** Queries of five words, each taken from one message that should be found. */
function questions(texts: readonly string[]): { query: string; item: number }[] {
  const random = randomNumbers(5);
  return Array.from({ length: QUERIES }, () => {
    const item = Math.floor(random() * texts.length);
    const words = (texts[item] ?? '').split(' ');
    const query = Array.from({ length: 5 }, () => words[Math.floor(random() * words.length)] ?? '').join(' ');
    return { query, item };
  });
}

/** Searches messages of about 40 words. */
export async function* measureLexical(size: number): AsyncGenerator<Row> {
  const texts = messages(size, 1);
  const extra = messages(100, 2);
  const asked = questions(texts);
  const known = (found: readonly (readonly number[])[]) =>
    found.filter((documents, at) => documents.includes(asked[at]?.item ?? -1)).length / asked.length;

  const index = new LexicalIndex();
  const [, build] = await timed(() => {
    for (const [at, text] of texts.entries()) index.add(at, termsOf(text));
  });
  const ask = ({ query }: { query: string }) =>
    index.search(termsOf(query), FOUND).map(({ document }) => document);
  const segments = rangesOf(size).map((documents) => index.seal(documents));
  const [saved, read] = await throughDatabase('lexical', segments);
  const [, fillIn] = await timed(() => {
    const loaded = new LexicalIndex();
    for (const segment of saved) loaded.attach(segment);
  });
  const times = await queryTimes(asked, ask); // As after a reload.
  const found = asked.map(ask);
  const [, added] = await timed(() => {
    for (const [at, text] of extra.entries()) index.add(size + at, termsOf(text));
  });
  yield {
    ...EMPTY,
    ...times,
    what: 'rolezero (core)',
    size,
    recall: known(found),
    build,
    addOne: added / extra.length,
    bytes: saved.reduce((sum, segment) => sum + bytesOf(segment), 0),
    load: read + fillIn,
  };
  yield await miniSearch(size, texts, extra, asked, known);
  yield await orama(size, texts, extra, asked, known);
}

type Asked = readonly { query: string; item: number }[];
type Known = (found: readonly (readonly number[])[]) => number;

async function miniSearch(
  size: number,
  texts: readonly string[],
  extra: readonly string[],
  asked: Asked,
  known: Known,
): Promise<Row> {
  const options = { fields: ['text'] };
  const index = new MiniSearch<{ id: number; text: string }>(options);
  const [, build] = await timed(() => index.addAll(texts.map((text, id) => ({ id, text }))));
  const ask = ({ query }: { query: string }) =>
    index
      .search(query)
      .slice(0, FOUND)
      .map(({ id }) => Number(id));
  const times = await queryTimes(asked, ask);
  const found = asked.map(ask);
  const [saved, read] = await throughDatabase('minisearch', JSON.stringify(index));
  const [, fillIn] = await timed(() => MiniSearch.loadJSON(saved, options));
  const [, added] = await timed(() => {
    for (const [at, text] of extra.entries()) index.add({ id: size + at, text });
  });
  return {
    ...EMPTY,
    ...times,
    what: 'minisearch',
    size,
    recall: known(found),
    build,
    addOne: added / extra.length,
    bytes: saved.length,
    load: read + fillIn,
  };
}

async function orama(
  size: number,
  texts: readonly string[],
  extra: readonly string[],
  asked: Asked,
  known: Known,
): Promise<Row> {
  const schema = { text: 'string' } as const;
  const database = create({ schema });
  const [, build] = await timed(() =>
    insertMultiple(
      database,
      texts.map((text, at) => ({ id: String(at), text })),
      1_000,
    ),
  );
  const ask = async ({ query }: { query: string }) =>
    (await search(database, { term: query, limit: FOUND })).hits.map(({ id }) => Number(id));
  const times = await queryTimes(asked, ask);
  const found: number[][] = [];
  for (const one of asked) found.push(await ask(one));
  const [, added] = await timed(async () => {
    for (const [at, text] of extra.entries()) await insert(database, { id: String(size + at), text });
  });
  const row = {
    ...EMPTY,
    ...times,
    what: '@orama/orama',
    size,
    recall: known(found),
    build,
    addOne: added / extra.length,
  };
  try {
    const [saved, read] = await throughDatabase('orama', JSON.stringify(save(database)));
    const [, fillIn] = await timed(() =>
      load(create({ schema }), JSON.parse(saved) as ReturnType<typeof save>),
    );
    return { ...row, bytes: saved.length, load: read + fillIn };
  } catch (error) {
    return { ...row, note: `cannot be saved: ${error instanceof Error ? error.message : String(error)}` };
  }
}
