import { describe, expect, it } from 'vitest';
import type { Write } from '../../../src/core/store.js';
import { quotedIn, RecentTexts, restoreQuotes, type StoredWrite } from '../../../src/storage/texts.js';

const REPLY = `I write.\n[{"command_name":"Editor.write","args":{"content":${JSON.stringify(lines('"say"\n'))}}}]`;

function lines(end: string): string {
  return Array.from({ length: 40 }, (_, line) => `line ${line} \ud800 ${end}`).join('');
}

function message(key: string, content: string, extra: object = {}): Write {
  return { table: 'messages', key, value: { content, ...extra } };
}

/** What a store that contains these writes returns for them. */
function read(stored: readonly StoredWrite[], earlier: readonly StoredWrite[] = []): unknown[] {
  const texts = new Map(
    [...earlier, ...stored].flatMap(({ table, key, value }) => (table === 'texts' ? [[key, value]] : [])),
  );
  return stored.flatMap((write) =>
    write.table === 'texts' ? [] : [restoreQuotes(structuredClone(write), texts)],
  );
}

describe('RecentTexts', () => {
  it('stores a text of several records once', () => {
    const texts = new RecentTexts(3);
    const writes = [
      message('a/1', REPLY),
      { table: 'turns' as const, key: 'a/1', value: { content: REPLY } },
    ];
    const stored = texts.quote(structuredClone(writes));
    expect(stored.map(({ table, key }) => `${table} ${key}`)).toEqual([
      'texts 3.0',
      'messages a/1',
      'turns a/1',
    ]);
    expect(JSON.stringify(stored).length).toBeLessThan(1.2 * JSON.stringify(REPLY).length);
    expect(read(stored)).toEqual(writes.map(({ value }) => value));
  });

  it('quotes the parts of a text, also those that are escaped in it', () => {
    const texts = new RecentTexts(1);
    const first = texts.quote([message('a/1', REPLY), message('a/2', REPLY)]);
    const later = [
      message('a/3', '', { args: [{ content: lines('"say"\n') }], thought: REPLY.slice(5, 400) }),
    ];
    const stored = texts.quote(structuredClone(later));
    expect(stored.map(({ table }) => table)).toEqual(['messages']);
    expect(JSON.stringify(stored).length).toBeLessThan(400);
    expect(read(stored, first)).toEqual(later.map(({ value }) => value));
  });

  it('leaves short texts, single texts, and other tables as they are', () => {
    const texts = new RecentTexts(1);
    const writes: Write[] = [
      message('a/1', 'short', { again: 'short' }),
      message('a/2', lines('once')),
      { table: 'files', key: '/a', value: { content: REPLY } },
      { table: 'files', key: '/b', value: { content: REPLY } },
      { table: 'messages', key: 'a/3', value: undefined },
    ];
    expect(texts.quote(structuredClone(writes))).toEqual(writes);
  });

  it('stores a long string of a state once, however often the state is stored', () => {
    const texts = new RecentTexts(1);
    const long = lines('x'.repeat(200));
    const state = (count: number): Write => ({ table: 'roles', key: 'a', value: { count, long } });
    const first = texts.quote([state(1)]);
    const second = texts.quote([state(2)]);
    expect(first.map(({ table }) => table)).toEqual(['texts', 'roles']);
    expect(second.map(({ table }) => table)).toEqual(['roles']);
    expect(read(second, first)).toEqual([{ count: 2, long }]);
    texts.clear(); // for example, because the commit was rejected
    expect(texts.quote([state(3)]).map(({ table }) => table)).toEqual(['texts', 'roles']);
  });

  it('does not quote texts that have been forgotten', () => {
    const texts = new RecentTexts(1);
    const pair = (index: number): Write[] => {
      const text = lines(`of pair ${index}`);
      return [message(`a/${2 * index}`, text), message(`a/${2 * index + 1}`, text)];
    };
    for (let index = 0; index < 100; index++) texts.quote(pair(index));
    const again = texts.quote(pair(0));
    expect(again[0]).toMatchObject({ table: 'texts' });
    expect(texts.keys().size).toBeLessThan(100);
  });
});

describe('restoreQuotes', () => {
  const quoting = (quote: object): StoredWrite => ({
    table: 'messages',
    key: 'a/1',
    value: { content: '' },
    quotes: [{ path: ['content'], text: '1.0', ...quote }],
  });
  const texts = new Map<string, unknown>([['1.0', 'a "text']]);

  it.each([
    ['a text that is not stored', { text: '1.1' }],
    ['a place that does not exist', { path: ['other'] }],
    ['a place in a prototype', { path: ['__proto__', 'toString'] }],
    ['half an escape', { part: [0, 3], json: true }],
  ])('rejects %s', (_, quote) => {
    const found = quoting(quote);
    expect(() => restoreQuotes(found, texts)).toThrow(expect.objectContaining({ code: 'storage-corrupt' }));
  });

  it('names the texts that records quote', () => {
    expect([...quotedIn([quoting({}), quoting({}), quoting({ text: '1.2' }), {}])]).toEqual(['1.0', '1.2']);
  });
});
