import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Write } from '../../../src/core/store.js';
import { VirtualFiles } from '../../../src/files/virtual-files.js';

/** The tables of a session in memory: what a store has after the writes. */
class Rows {
  readonly tables = new Map<string, Map<string, unknown>>();

  of(table: string): Map<string, unknown> {
    const rows = this.tables.get(table) ?? new Map<string, unknown>();
    this.tables.set(table, rows);
    return rows;
  }

  /** Returns the length of the contents in the writes. */
  store(writes: readonly Write[]): number {
    let length = 0;
    for (const { table, key, value } of writes) {
      if (value === undefined) this.of(table).delete(key);
      else this.of(table).set(key, structuredClone(value));
      if (table === 'contents' && value !== undefined) length += (value as string | Uint8Array).length;
    }
    return length;
  }

  /** The files as another worker finds them. */
  files(): VirtualFiles {
    const rowsOf = (table: string) => [...this.of(table)].map(([key, value]) => ({ key, value }));
    const files = new VirtualFiles({
      now: () => 0,
      contents: async (keys) =>
        keys.flatMap((key) =>
          this.of('contents').has(key) ? [{ key, value: this.of('contents').get(key) }] : [],
        ),
    });
    files.restore(rowsOf('files')).history.restore(rowsOf('history'));
    return files;
  }
}

async function write(
  files: VirtualFiles,
  rows: Rows,
  content: string | Uint8Array,
  path = '/a',
): Promise<number> {
  const stage = files.stage();
  await stage.write(path, content);
  const length = rows.store(stage.changes({ by: 'user', name: 'write' }));
  stage.apply();
  return length;
}

const lines = (count: number, changed = -1): string =>
  Array.from({ length: count }, (_, line) =>
    line === changed ? `line ${line} is another one\n` : `line ${line} of a long file, with some words\n`,
  ).join('');

it('stores only what is new in a long file', async () => {
  const rows = new Rows();
  const files = rows.files();
  expect(await write(files, rows, lines(5_000))).toBe(lines(5_000).length);
  expect(await write(files, rows, lines(5_000, 2_500))).toBeLessThan(100);
  expect(await rows.files().read('/a')).toBe(lines(5_000, 2_500));
  const again = rows.files();
  await again.read('/a');
  expect(await write(again, rows, lines(5_000, 4_000))).toBeLessThan(80_000);
  expect(await rows.files().read('/a')).toBe(lines(5_000, 4_000));
});

it('stores a file as a whole after many changes, and removes what no version needs', async () => {
  const rows = new Rows();
  const files = rows.files();
  await write(files, rows, lines(300));
  const lengths: number[] = [];
  for (let edit = 0; edit < 150; edit++) lengths.push(await write(files, rows, lines(300, (edit * 7) % 300)));
  expect(lengths.filter((length) => length >= lines(300).length - 50).length).toBeLessThan(40);
  rows.store(files.forgetHistory(0));
  const stored = [...rows.of('contents').values()].reduce<number>(
    (sum, value) => sum + String(value).length,
    0,
  );
  expect(stored).toBeLessThan(3 * lines(300).length);
  expect(await rows.files().read('/a')).toBe(lines(300, (149 * 7) % 300));
});

it('restores every former version, also of files that were stored as a whole by an earlier release', async () => {
  const rows = new Rows();
  const content = lines(100);
  const hash = await (async () => {
    const other = new Rows();
    const files = other.files();
    await write(files, other, content);
    return (other.of('files').get('/a') as { stored: { hash: string; size: number } }).stored;
  })();
  rows.store([
    { table: 'contents', key: '0000000007', value: content },
    {
      table: 'files',
      key: '/a',
      value: { type: 'file', modifiedAt: 1, stored: { ...hash, key: '0000000007' } },
    },
  ]);
  const files = rows.files();
  expect(await files.read('/a')).toBe(content);
  expect(await write(files, rows, lines(100, 50))).toBeLessThan(100);
  const found = rows.files();
  const [change] = found.history.line();
  expect(
    (await found.history.content(change?.changes[0]?.before ?? { type: 'file', hash: '', size: 1 }))?.text(),
  ).toBe(content);
  expect(await found.read('/a')).toBe(lines(100, 50));
});

it('reads back any sequence of texts and bytes, in this worker and in the next', async () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', minLength: 10, maxLength: 20 }).map((text) => text.repeat(90)),
    fc.constantFrom('ä'.repeat(900), '\u{1F600}'.repeat(700), `${'x'.repeat(999)}\ud83d`, lines(60)),
  );
  const edit = fc.record({
    at: fc.nat(),
    length: fc.nat({ max: 900 }),
    text: fc.oneof(fc.constant(''), fc.string({ maxLength: 30 }), piece),
    asBytes: fc.boolean(),
    reopens: fc.boolean(),
    path: fc.constantFrom('/a', '/b'),
    copies: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(piece, fc.array(edit, { minLength: 1, maxLength: 8 }), async (start, edits) => {
      const rows = new Rows();
      let files = rows.files();
      const encoder = new TextEncoder();
      const known = new Map<string, Uint8Array>();
      const put = async (path: string, text: string, asBytes: boolean): Promise<void> => {
        await write(files, rows, asBytes ? encoder.encode(text) : text, path);
        known.set(path, encoder.encode(text));
      };
      await put('/a', start, false);
      for (const { at, length, text, asBytes, reopens, path, copies } of edits) {
        if (reopens) files = rows.files();
        const now = known.has(path) ? await files.read(path) : start;
        const from = at % (now.length + 1);
        await put(path, now.slice(0, from) + text + now.slice(from + length), asBytes);
        if (copies && !known.has('/c')) {
          const stage = files.stage();
          await stage.copy(path, '/c');
          rows.store(stage.changes({ by: 'user', name: 'copy' }));
          stage.apply();
          known.set('/c', known.get(path) ?? new Uint8Array());
        }
        expect(await rows.files().readBytes(path)).toEqual(known.get(path));
      }
      for (const [path, bytes] of known) {
        expect(await files.readBytes(path)).toEqual(bytes);
        expect(await rows.files().readBytes(path)).toEqual(bytes);
      }
    }),
    { numRuns: 20 },
  );
});
