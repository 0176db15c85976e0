import { expect, it } from 'vitest';
import type { Write } from '../../../src/core/store.js';
import { writeEntry } from '../../../src/storage/journal-entry.js';
import type { JournalFolder } from '../../../src/storage/journal-folder.js';
import { readJournal, quoteContents } from '../../../src/storage/journal-reading.js';
import { newRow, type SessionRow } from '../../../src/storage/session-row.js';
import { RecentTexts } from '../../../src/storage/texts.js';
import { put } from '../../contracts/records.js';

const source = (part: string) => `const "part" = '${part}';\n`.repeat(100);
const reply = (content: string) =>
  put('steps', 'r', { reply: JSON.stringify({ content }), again: JSON.stringify({ content }) });

/** Appends commits as the replica does; `part` is logged before. */
class Log {
  readonly texts = new RecentTexts(1);
  text = '';
  #head = 0;

  commit(writes: readonly Write[], part: readonly Write[] = []): string {
    const row: SessionRow = { ...newRow('s', 0), id: 'id', head: ++this.#head, epoch: 1 };
    const logged = this.texts.quote(part);
    const quoted = quoteContents(this.texts.quote(writes), (text) => this.texts.find(text));
    const parts = logged.length === 0 ? [] : [writeEntry({ row, whole: false, part: 0, writes: logged })];
    const lines = [...parts, writeEntry({ row, whole: false, parts: parts.length, writes: quoted })].join('');
    this.text += lines;
    return lines;
  }

  async replayed(): Promise<{ head: number; values: Record<string, unknown> }> {
    const folder = { names: async () => ['1-0.log'], read: async () => new Blob([this.text]) };
    const { row, writes = [] } = (await readJournal(folder as unknown as JournalFolder)) ?? {};
    const own = writes.filter(({ table }) => table !== 'texts');
    expect(own.filter(({ table, quotes }) => table === 'contents' && quotes !== undefined)).toEqual([]);
    return {
      head: row?.head ?? 0,
      values: Object.fromEntries(own.map(({ table, key, value }) => [`${table} ${key}`, value])),
    };
  }
}

it('stores a long content of a file once: as a part of the reply that wrote it', async () => {
  const log = new Log();
  const [one, two] = [source('one'), source('two')];
  const lengths = [
    log.commit([put('contents', '1', one)], [reply(one)]),
    log.commit([put('contents', '2', two)], [reply(two)]),
  ].map((lines) => lines.length / one.length);
  for (const length of lengths) expect(length).toBeLessThan(1.8); // with the escaped quotation marks of both JSON texts
  const { head, values } = await log.replayed();
  expect(head).toBe(2);
  expect(values).toMatchObject({ 'contents 1': one, 'contents 2': two });
});

it('stores short contents, bytes, and what no reply contains as they are', async () => {
  const log = new Log();
  const bytes = new Uint8Array([1, 2, 3]);
  log.commit([put('contents', '1', 'short'), put('contents', '2', bytes)], [reply('short')]);
  log.commit([put('contents', '3', source('of the user')), put('contents', '1', undefined)]);
  const { values } = await log.replayed();
  expect(values).toMatchObject({ 'contents 2': bytes, 'contents 3': source('of the user') });
  expect(Object.keys(values)).not.toContain('contents 1');
});

it('restores up to the commit before one whose quotes are missing', async () => {
  const log = new Log();
  log.commit([put('files', '/b', { content: '' })]);
  log.texts.know(source('one'), 'never stored');
  log.commit([put('files', '/c', { content: '' }), put('contents', '1', source('one'))]);
  const { head, values } = await log.replayed();
  expect([head, Object.keys(values)]).toEqual([1, ['files /b']]);
});
