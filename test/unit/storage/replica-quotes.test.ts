import { expect, it } from 'vitest';
import type { Write } from '../../../src/core/store.js';
import { writeEntry } from '../../../src/storage/journal-entry.js';
import type { JournalFolder } from '../../../src/storage/journal-folder.js';
import { readJournal } from '../../../src/storage/journal-reading.js';
import { ReplicaContents } from '../../../src/storage/replica-quotes.js';
import { newRow, type SessionRow } from '../../../src/storage/session-row.js';
import { RecentTexts } from '../../../src/storage/texts.js';
import { put } from '../../contracts/records.js';

const source = (part: string) => `const "part" = '${part}';\n`.repeat(100);
const file = (key: string, content: string): Write =>
  put('files', key, { type: 'file', content, modifiedAt: 1 });

/** Appends commits as the replica does; `part` is logged before. */
class Log {
  readonly contents = new ReplicaContents();
  readonly texts = new RecentTexts(1);
  text = '';
  #head = 0;

  commit(writes: readonly Write[], part: readonly Write[] = []): string {
    const row: SessionRow = { ...newRow('s', 0), id: 'id', head: ++this.#head, epoch: 1 };
    const logged = this.texts.quote(part);
    for (const write of logged) this.contents.take(write);
    const quoted = this.contents.quote(this.texts.quote(writes), (text) => this.texts.find(text));
    const parts = logged.length === 0 ? [] : [writeEntry({ row, whole: false, part: 0, writes: logged })];
    const lines = [...parts, writeEntry({ row, whole: false, parts: parts.length, writes: quoted })].join('');
    this.text += lines;
    return lines;
  }

  async replayed(): Promise<{ head: number; values: Record<string, unknown> }> {
    const folder = { names: async () => ['1-0.log'], read: async () => this.text };
    const { row, writes = [] } = (await readJournal(folder as unknown as JournalFolder)) ?? {};
    const own = writes.filter(({ table }) => table !== 'texts');
    expect(own.filter(({ table, quotes }) => table === 'files' && quotes !== undefined)).toEqual([]);
    return {
      head: row?.head ?? 0,
      values: Object.fromEntries(own.map(({ table, key, value }) => [`${table} ${key}`, value])),
    };
  }
}

it('stores the content of a file once: as a part of the reply, and as what the file contained before', async () => {
  const log = new Log();
  const [one, two] = [source('one'), source('two')];
  const reply = (content: string) =>
    put('steps', 'r', { reply: JSON.stringify({ content }), again: JSON.stringify({ content }) });
  const lengths = [
    log.commit([file('/a', one)], [reply(one)]),
    log.commit([put('contents', 'h1', one), file('/a', two)], [reply(two)]),
  ].map((lines) => lines.length / one.length);
  for (const length of lengths) expect(length).toBeLessThan(1.8); // with the escaped quotation marks of both JSON texts
  const { head, values } = await log.replayed();
  expect(head).toBe(2);
  expect(values).toMatchObject({ 'files /a': { content: two }, 'contents h1': one });
});

it('quotes what the writes before leave, also within a commit, and nothing that is gone', async () => {
  const log = new Log();
  const [one, two, three] = [source('one'), source('two'), source('three')];
  log.commit([file('/a', one), file('/b', one)]);
  log.commit([
    put('contents', 'h1', one),
    file('/a', two),
    put('contents', 'h2', two),
    file('/a', three),
    put('contents', 'h2', three),
  ]);
  log.commit([put('files', '/b', undefined), put('contents', 'h3', one), file('/b', '')], [file('/a', two)]);
  log.commit([put('contents', 'h4', two), put('contents', 'h5', three)]);
  const { values } = await log.replayed();
  expect(values).toMatchObject({
    'files /a': { content: two },
    'files /b': { content: '' },
    'contents h1': one,
    'contents h2': three,
    'contents h3': one,
    'contents h4': two,
    'contents h5': three,
  });
});

it('restores up to the commit before one whose quotes are missing', async () => {
  const log = new Log();
  log.commit([put('files', '/b', { content: '' })]);
  log.contents.take(file('/never-stored', source('one')));
  log.commit([put('files', '/c', { content: '' }), put('contents', 'h1', source('one'))]);
  const { head, values } = await log.replayed();
  expect([head, Object.keys(values)]).toEqual([1, ['files /b']]);
});

it('quotes no content that was cleared', () => {
  const log = new Log();
  log.commit([file('/a', source('one'))]);
  log.contents.clear();
  expect(log.commit([put('contents', 'h1', source('one'))]).length).toBeGreaterThan(source('one').length);
});
