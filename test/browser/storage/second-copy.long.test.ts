import { wrap, type Remote } from 'comlink';
import { deleteDB, openDB } from 'idb';
import { afterEach, describe, expect, it } from 'vitest';
import { cdp } from 'vitest/browser';
import { fingerprint } from '../../../src/core/fingerprint.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { readStoredText } from '../../../src/storage/sealed-file.js';
import { pad, put } from '../../contracts/records.js';
import { freshName } from './fresh-name.js';
import type { Held } from './session.worker.js';
import { inReplicas } from './stored-text.js';

const workers = new Map<Remote<Held>, Worker>();

function holder(): Remote<Held> {
  const worker = new Worker(new URL('./session.worker.ts', import.meta.url), { type: 'module' });
  const session = wrap<Held>(worker);
  workers.set(session, worker);
  return session;
}

function kill(session: Remote<Held>): void {
  workers.get(session)?.terminate();
  workers.delete(session);
}

afterEach(() => {
  for (const session of workers.keys()) kill(session);
});

async function folder(databaseName: string): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  const ours = await root.getDirectoryHandle('rolezero');
  return (await ours.getDirectoryHandle(fingerprint(databaseName))).getDirectoryHandle(fingerprint('game'));
}

async function files(databaseName: string): Promise<{ name: string; text: string }[]> {
  const found: { name: string; text: string }[] = [];
  for await (const [name, handle] of (await folder(databaseName)).entries())
    found.push({
      name,
      text: await readStoredText({ read: () => (handle as FileSystemFileHandle).getFile() }, name),
    });
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function overwrite(
  databaseName: string,
  name: string,
  text: string,
  options: { create?: boolean } = {},
): Promise<void> {
  const handle = await (await folder(databaseName)).getFileHandle(name, options);
  const stream = await handle.createWritable();
  await stream.write(text);
  await stream.close();
}

/** What Chromium does with a damaged database: it deletes it silently, and the next opening finds it empty. */
const loseDatabase = deleteDB;

/** Commits that write, replace and remove text and bytes. */
async function work(session: Remote<Held>, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number++) {
    await session.commit([
      put('inbox', pad(number), { number, text: `line ${number}\nwith "quotes" and 日本` }),
      put('files', `/${number % 3}`, new Uint8Array([number, 0, 255])),
      put('inbox', pad(number - 5), undefined),
    ]);
  }
}

/** Long records, each a commit: twenty of them fill a file of the replica. */
async function longWork(session: Remote<Held>, from: number, to = Infinity, done?: (number: number) => void) {
  for (let number = from; number < to; number++) {
    const lines = Array.from(
      { length: 600 },
      (_, line) => `${number} line ${line}: ${Math.sin(line + number)} 日本`,
    );
    await session.commit([put('roles', pad(number), lines.join('\n'))]);
    done?.(number);
  }
}

const isCompressed = ({ name }: { name: string }): boolean => name.endsWith('.deflate');

const content = async (session: Remote<Held>): Promise<unknown> => [
  await session.load('inbox'),
  await session.load('files'),
];

/** After the database is lost, the first rows are restored that were acknowledged. */
async function expectRestored(databaseName: string, acknowledged: number): Promise<void> {
  await loseDatabase(databaseName);
  const next = holder();
  await next.open(databaseName);
  const found = (await next.load('roles')).map(({ key }) => key);
  expect(found.slice(0, acknowledged)).toEqual(
    Array.from({ length: acknowledged }, (_, index) => pad(index)),
  );
  await next.close();
}

describe('the replica of a session', () => {
  it('restores everything when the browser lost its database, and reports it', async () => {
    const databaseName = freshName();
    const before = holder();
    await before.open(databaseName);
    await work(before, 0, 30);
    const expected = await content(before);
    await before.close();
    await loseDatabase(databaseName);

    const listed = await indexedDbStorage({ databaseName }).list();
    expect(listed).toMatchObject([{ name: 'game', head: 30 }]); // A lost session is still listed.

    await loseDatabase(databaseName);
    const after = holder();
    await after.open(databaseName);
    expect(await content(after)).toEqual(expected);
    expect(await after.reported()).toMatchObject([
      { code: 'storage-restored', detail: { session: 'game', commits: 30, found: 0 } },
    ]);
    await work(after, 30, 33); // Continues, and updates its replica.
    const longer = await content(after);
    await after.close();
    await loseDatabase(databaseName);
    const third = holder();
    await third.open(databaseName);
    expect(await content(third)).toEqual(longer);
  });

  it('contains nothing of what was forgotten, and no derived index data', async () => {
    const databaseName = freshName();
    const session = holder();
    await session.open(databaseName);
    await session.commit([put('memories', 'Zero/0', 'the secret'), put('recall', 'Zero/0', 'derived')]);
    await session.commit([put('memories', 'Zero/1', 'another')]);
    const text = async () => (await files(databaseName)).map((file) => file.text).join('');
    expect(await text()).toContain('the secret');
    expect(await text()).not.toContain('derived');
    await session.commit([put('memories', 'Zero/0', undefined)], { purge: true });
    expect(await text()).not.toContain('the secret');
    await session.commit([put('memories', 'Zero/2', 'a third')]);
    const expected = await session.load('memories');
    await session.close();
    await loseDatabase(databaseName);
    const after = holder();
    await after.open(databaseName);
    expect(await after.load('memories')).toEqual(expected);
    expect(expected.map(({ value }) => value)).toEqual(['another', 'a third']);
  });

  it('removes at the next opening forgotten data that a crash left behind', async () => {
    const databaseName = freshName();
    const before = holder();
    await before.open(databaseName);
    await before.commit([put('memories', 'Zero/0', 'the secret')]);
    const [log] = await files(databaseName);
    await before.commit([put('memories', 'Zero/0', undefined)], { purge: true });
    kill(before);
    for (const { name } of await files(databaseName)) await (await folder(databaseName)).removeEntry(name);
    await overwrite(databaseName, log?.name ?? '', log?.text ?? '', { create: true }); // As if nothing had been removed yet.
    const after = holder();
    await after.open(databaseName, { takeOver: true });
    expect(await after.load('memories')).toEqual([]);
    expect((await files(databaseName)).map(({ text }) => text).join('')).not.toContain('the secret');
  });

  it('has every commit that was acknowledged before the worker was killed', async () => {
    const databaseName = freshName();
    for (let round = 0; round < 6; round++) {
      const doomed = holder();
      await doomed.open(databaseName, { takeOver: true });
      const start = (await doomed.load('roles')).length;
      let acknowledged = start;
      const working = (async () => {
        for (let number = start; ; number++) {
          await doomed.commit([put('roles', pad(number), 'x'.repeat(number * 50))]);
          acknowledged = number + 1;
        }
      })();
      working.catch(() => {}); // Terminated with its worker.
      await expect.poll(() => acknowledged - start).toBeGreaterThan(3 + round);
      kill(doomed);
      await expectRestored(databaseName, acknowledged);
    }
  });

  it('is compressed when its files are complete, and restores everything', async () => {
    const databaseName = freshName();
    const before = holder();
    await before.open(databaseName);
    await longWork(before, 0, 100);
    await expect.poll(async () => (await files(databaseName)).filter(isCompressed).length).toBeGreaterThan(2);
    const expected = await before.load('roles');
    await before.close();
    await loseDatabase(databaseName);
    const after = holder();
    await after.open(databaseName);
    expect(await after.load('roles')).toEqual(expected);
    expect(await after.reported()).toMatchObject([{ code: 'storage-restored', detail: { commits: 100 } }]);
  });

  it('has every commit that was acknowledged before the worker was killed while files were compressed', async () => {
    const databaseName = freshName();
    let compressed = 0;
    for (let round = 0; round < 10; round++) {
      const doomed = holder();
      await doomed.open(databaseName, { takeOver: true });
      const start = (await doomed.load('roles')).length;
      let acknowledged = start;
      longWork(doomed, start, Infinity, (number) => (acknowledged = number + 1)).catch(() => {}); // ends with its worker
      await expect.poll(() => acknowledged - start, { interval: 1 }).toBeGreaterThan(16 + round);
      await new Promise((resolve) => setTimeout(resolve, 3 * round));
      kill(doomed);
      compressed += (await files(databaseName)).filter(isCompressed).length;
      await expectRestored(databaseName, acknowledged);
    }
    expect(compressed).toBeGreaterThan(0);
  });

  it('contains nothing of what was forgotten in its compressed files', async () => {
    const databaseName = freshName();
    const session = holder();
    await session.open(databaseName);
    await session.commit([put('memories', 'Zero/0', 'the secret')]);
    await longWork(session, 0, 60);
    await expect.poll(async () => (await files(databaseName)).some(isCompressed)).toBe(true);
    const text = async (): Promise<string> => inReplicas(await folder(databaseName));
    expect(await text()).toContain('the secret');
    await session.commit([put('memories', 'Zero/0', undefined)], { purge: true });
    expect(await text()).not.toContain('the secret');
    await expect.poll(async () => (await files(databaseName)).some(isCompressed)).toBe(true); // the new copy
    expect(await text()).not.toContain('the secret');
    await session.close();
  });

  it('restores the newest commits when the database was rolled back', async () => {
    const databaseName = freshName();
    const before = holder();
    await before.open(databaseName);
    await work(before, 0, 10);
    await before.close();
    const old = await indexedDbStorage({ databaseName }).export('game');
    const database = await openDB(databaseName);
    const row: unknown = await database.get('sessions', 'game');
    const again = holder();
    await again.open(databaseName);
    await work(again, 10, 20);
    const expected = await content(again);
    await again.close();

    const rollBack = database.transaction(['sessions', 'records'], 'readwrite');
    await rollBack.objectStore('records').clear();
    await rollBack.objectStore('sessions').put(row);
    for (const { table, key, value } of old.records)
      if (table === 'inbox')
        await rollBack.objectStore('records').put({ session: 'game', table, key, value });
    await rollBack.done;
    database.close();

    const after = holder();
    await after.open(databaseName);
    expect(await content(after)).toEqual(expected);
    expect(await after.reported()).toMatchObject([
      { code: 'storage-restored', detail: { commits: 10, found: 10 } },
    ]);
  });

  it('continues with a session whose database is emptied while it works', { tags: 'chromium' }, async () => {
    const databaseName = freshName();
    const session = holder();
    await session.open(databaseName);
    await work(session, 0, 5);
    await cdp().send('Storage.clearDataForOrigin', { origin: location.origin, storageTypes: 'indexeddb' });
    await work(session, 5, 8);
    expect((await session.load('inbox')).map(({ key }) => key)).toEqual([3, 4, 5, 6, 7].map(pad));
    expect(await session.reported()).toMatchObject([{ code: 'storage-restored' }]);
  });

  it('does not restore what was removed', async () => {
    const databaseName = freshName();
    const session = holder();
    await session.open(databaseName);
    await work(session, 0, 3);
    await session.close();
    await indexedDbStorage({ databaseName }).remove('game');
    await loseDatabase(databaseName);
    expect(await indexedDbStorage({ databaseName }).list()).toEqual([]);
    const next = holder();
    await next.open(databaseName);
    expect(await next.load('inbox')).toEqual([]);
    expect(await next.reported()).toEqual([]);
  });

  it('discards everything after a truncated or damaged line, and starts again with a complete copy', async () => {
    const databaseName = freshName();
    const session = holder();
    await session.open(databaseName);
    await work(session, 0, 10);
    await session.close();
    const [file] = await files(databaseName);
    const lines = file?.text.split('\n') ?? [];
    const sixth = lines.findIndex((line) => line.includes('line 6'));
    expect(sixth).toBeGreaterThan(0);
    lines[sixth] = lines[sixth]?.replace('line 6', 'line 7') ?? '';
    await overwrite(databaseName, file?.name ?? '', lines.join('\n'));

    const intact = holder(); // The database is complete: the replica is repaired.
    await intact.open(databaseName);
    const expected = await content(intact);
    expect(await intact.reported()).toEqual([]);
    await intact.close();
    expect((await files(databaseName)).map(({ name }) => name.replace(/^.*\./, ''))).toEqual([
      'log',
      'deflate',
    ]);
    await loseDatabase(databaseName);
    const after = holder();
    await after.open(databaseName);
    expect(await content(after)).toEqual(expected);
    await after.close();

    await overwrite(databaseName, (await files(databaseName)).at(-1)?.name ?? '', 'torn');
    await loseDatabase(databaseName);
    expect(await indexedDbStorage({ databaseName }).list()).toEqual([]); // Both are gone: nothing can be restored.
  });

  it('covers a session that had none from its next opening on', async () => {
    const databaseName = freshName();
    const bare = holder();
    await bare.open(databaseName, { secondCopy: false });
    await work(bare, 0, 4);
    await bare.close();
    const session = holder();
    await session.open(databaseName);
    const expected = await content(session);
    await session.close();
    await loseDatabase(databaseName);
    const after = holder();
    await after.open(databaseName);
    expect(await content(after)).toEqual(expected);
  });

  it('belongs to one session and to no other of the same name', async () => {
    const databaseName = freshName();
    const first = holder();
    await first.open(databaseName);
    await work(first, 0, 9);
    await first.close();
    await indexedDbStorage({ databaseName, secondCopy: false }).remove('game'); // As a release without replicas did.
    const second = holder();
    await second.open(databaseName, { secondCopy: false });
    await work(second, 0, 2);
    await second.close();
    const third = holder();
    await third.open(databaseName);
    expect(await third.reported()).toEqual([]);
    expect((await third.load('inbox')).map(({ key }) => key)).toEqual([0, 1].map(pad));
    await third.close();
    await loseDatabase(databaseName);
    expect(await indexedDbStorage({ databaseName }).list()).toMatchObject([{ name: 'game', head: 2 }]);
  });

  it('stays in proportion to the session, however often it is written and opened', async () => {
    const databaseName = freshName();
    const text = 'x'.repeat(100_000);
    for (let visit = 0; visit < 20; visit++) {
      const session = holder();
      await session.open(databaseName);
      for (let number = 0; number < 8; number++)
        await session.commit([put('roles', 'Zero', { visit, number, text })]);
      await session.close();
      kill(session);
    }
    const stored = await files(databaseName); // 16,000,000 characters were written
    expect(stored.reduce((sum, { text: each }) => sum + each.length, 0)).toBeLessThan(4_000_000);
    expect(stored.length).toBeLessThan(70);
    await loseDatabase(databaseName);
    const after = holder();
    await after.open(databaseName);
    expect(await after.load('roles')).toEqual([{ key: 'Zero', value: { visit: 19, number: 7, text } }]);
  });

  it('belongs to the new writer after a takeover, while the old one still has its file open', async () => {
    const databaseName = freshName();
    const old = holder();
    await old.open(databaseName);
    await work(old, 0, 3);
    const taker = holder();
    await taker.open(databaseName, { takeOver: true });
    await work(taker, 3, 6);
    await expect(work(old, 6, 7)).rejects.toThrow(/taken over/);
    const expected = await content(taker);
    await taker.close();
    await loseDatabase(databaseName);
    const after = holder();
    await after.open(databaseName);
    expect(await content(after)).toEqual(expected);
  });
});
