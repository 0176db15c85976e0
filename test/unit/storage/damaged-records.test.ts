import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import { isRecord } from '../../../src/core/json.js';
import type { RandomState } from '../../../src/core/runtime.js';
import type { SessionStore, StorageWarning, Table, Write } from '../../../src/core/store.js';
import { storageWith } from '../../../src/storage/indexed-db-storage.js';
import { JournalDisk, SimulatedJournals } from '../../chaos/storage/simulated-journals.js';
import { put } from '../../contracts/records.js';

if (typeof navigator === 'undefined') Object.defineProperty(globalThis, 'navigator', { value: {} });

const RANDOM: RandomState = [1, 2, 3, 4];
const LONG = 'a long text that several records quote. '.repeat(20);

let opened = 0;

/** Rejects values without `ok`, except texts. */
function check({ table, key, value }: Write): void {
  if (table === 'texts') return;
  if (!isRecord(value) || value['ok'] !== true)
    throw new RoleZeroError('invalid', 'It is damaged.', { table, key });
}

/** A session in a database of its own. */
async function begin({ hasReplica = true } = {}) {
  const databaseName = `damaged-${++opened}`;
  const disk = new JournalDisk();
  const warnings: StorageWarning[] = [];
  const open = async (): Promise<SessionStore> => {
    const storage = storageWith({
      databaseName,
      waitMs: 0,
      openMs: 5000,
      transactionMs: 30_000,
      now: Date.now,
      journals: hasReplica ? new SimulatedJournals(disk, () => true) : null,
    });
    const store = await storage.open('s', { takeOver: true, check });
    store.listen?.((warning) => warnings.push(warning));
    return store;
  };
  const store = await open();
  await store.commit(
    [
      put('messages', '1', { ok: true, text: LONG }),
      put('turns', '1', { ok: true, text: LONG }),
      put('notes', '1', { ok: true, text: 'a note' }),
      put('notes', '2', { ok: true, text: 'another' }),
    ],
    RANDOM,
  );
  /** Replaces a record behind the back of the library; `undefined` removes it. */
  const damage = async (
    table: Table,
    key: string,
    value: unknown,
    session: string | string[] = 's',
  ): Promise<void> => {
    const database = await openDB(databaseName);
    if (value === undefined) await database.delete('records', [session, table, key]);
    else await database.put('records', { session, table, key, value });
    database.close();
  };
  return { store, open, damage, warnings, disk };
}

const codes = (warnings: readonly StorageWarning[]): string[] => warnings.map(({ code }) => code);

describe('a damaged record', () => {
  it('is restored from the replica when it is read, once for good, and reported', async () => {
    const { store, open, damage, warnings } = await begin();
    await store.close();
    await damage('notes', '1', 'rubbish');
    const again = await open();
    const notes = [
      { key: '1', value: { ok: true, text: 'a note' } },
      { key: '2', value: { ok: true, text: 'another' } },
    ];
    expect(await again.load('notes')).toEqual(notes);
    expect(warnings).toEqual([
      {
        code: 'storage-restored',
        message:
          "Records of session 's' were damaged in the database. They were restored from its replica. The records: notes/1.",
        detail: { session: 's', records: 1, listed: ['notes/1'] },
      },
    ]);
    await again.close();
    const third = await open();
    expect(await third.read('notes', ['1', '2'])).toEqual(notes);
    expect(warnings).toHaveLength(1);
  });

  it('is restored as the newest commit left it, also while the session is open', async () => {
    const { store, damage, warnings } = await begin();
    await store.commit([put('notes', '1', { ok: true, text: 'changed' })], RANDOM);
    await store.log?.([put('notes', '3', { ok: true, text: 'only logged' })], RANDOM);
    await damage('notes', '1', null);
    expect(await store.read('notes', ['1'])).toEqual([{ key: '1', value: { ok: true, text: 'changed' } }]);
    expect(await store.load('notes')).toHaveLength(3);
    expect(codes(warnings)).toEqual(['storage-restored']);
    await store.commit([put('notes', '4', { ok: true })], RANDOM);
  });

  it('is restored with the text that it quotes', async () => {
    const { store, open, damage, warnings } = await begin();
    await store.close();
    const database = await open();
    const texts = await database.load('texts');
    expect(texts.length).toBeGreaterThan(0);
    await database.close();
    for (const { key } of texts) await damage('texts', key, undefined);
    const again = await open();
    expect(await again.loadAll?.(['messages', 'turns'])).toEqual([
      [{ key: '1', value: { ok: true, text: LONG } }],
      [{ key: '1', value: { ok: true, text: LONG } }],
    ]);
    expect(codes(warnings)).toEqual(['storage-restored']);
  });

  it('is reported once when the replica does not have it, and returned as it is', async () => {
    const { store, open, damage, warnings } = await begin();
    await store.close();
    await damage('notes', 'unknown', 'rubbish');
    const again = await open();
    for (let times = 0; times < 2; times++)
      expect((await again.load('notes')).map(({ value }) => value)).toContain('rubbish');
    expect(warnings).toMatchObject([
      { code: 'storage-corrupt', detail: { session: 's', records: 1, listed: ['notes/unknown'] } },
    ]);
    expect(warnings[0]?.message).toContain('sessions.import()');
  });

  it('is reported when sessions share it, because no replica has it', async () => {
    const { store, damage, warnings } = await begin();
    const shared = 'team';
    await store.commit([{ ...put('notes', 'team/1', { ok: true }), shared }], RANDOM);
    await damage('notes', 'team/1', 'rubbish', ['shared', shared]);
    for (let times = 0; times < 2; times++)
      expect(await store.loadShared?.(shared, 'notes')).toEqual([{ key: 'team/1', value: 'rubbish' }]);
    expect(warnings).toMatchObject([{ code: 'storage-corrupt', detail: { listed: ['notes/team/1'] } }]);
  });

  it('is reported when there is no replica', async () => {
    const { store, open, damage, warnings } = await begin({ hasReplica: false });
    await store.close();
    await damage('notes', '1', 'rubbish');
    const again = await open();
    expect(await again.load('notes')).toHaveLength(2);
    expect(codes(warnings)).toEqual(['storage-corrupt']);
  });

  it('is not restored from a replica that lacks the last commit', async () => {
    const { store, damage, warnings, disk } = await begin();
    await store.commit([put('notes', '1', { ok: true, text: 'changed' })], RANDOM);
    for (const files of disk.folders.values())
      for (const file of files.values()) file.bytes = file.bytes.slice(0, file.bytes.lastIndexOf('changed'));
    await damage('notes', '1', 'rubbish');
    expect((await store.load('notes')).map(({ value }) => value)).toEqual([
      'rubbish',
      { ok: true, text: 'another' },
    ]);
    expect(codes(warnings)).toEqual(['storage-corrupt']);
  });
});
