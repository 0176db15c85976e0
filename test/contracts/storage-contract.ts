import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoleZeroError, type ErrorCode } from '../../src/core/error.js';
import type { RandomState } from '../../src/core/runtime.js';
import type { SessionStore, Storage, Table, Write } from '../../src/core/store.js';
import { pad, put } from './records.js';

/** Access of the contract to the storage under test. */
export interface StorageUnderTest {
  /** An empty storage in its own location. It does not wait for busy sessions. The clock is at `now()`. */
  fresh(now: () => number): Promise<{
    storage: Storage;
    /** The same location as seen from another tab. */
    elsewhere(): Storage;
  }>;
  /** Number of random command sequences. */
  runs: number;
  /** False for a storage without the optional `loadShared`. */
  shares?: boolean;
}

const tables: Table[] = ['roles', 'messages', 'turns', 'inbox', 'files'];
const random: RandomState = [1, 2, 3, 4];

/** The contract of every `Storage`. */
export function storageContract(name: string, { fresh, runs, shares = true }: StorageUnderTest): void {
  describe(`${name} fulfills the storage contract:`, () => {
    let time = 1_000;
    const place = () => fresh(() => time);

    it('creates a session and returns committed records in key order, also after reopening', async () => {
      const { storage, elsewhere } = await place();
      const first = await storage.open('game');
      expect({ name: first.name, epoch: first.epoch, history: await first.load('inbox') }).toEqual({
        name: 'game',
        epoch: 1,
        history: [],
      });
      await first.commit(
        ['b', 'a/10', 'a/2', 'Z', 'ä', '😀', '\uffff', 'a'].map((key) => put('messages', key, { key })),
        random,
      );
      const expected = ['Z', 'a', 'a/10', 'a/2', 'b', 'ä', '😀', '\uffff'].map((key) => ({
        key,
        value: { key },
      }));
      expect(await first.load('messages')).toEqual(expected);
      await first.close();

      const second = await elsewhere().open('game');
      expect(second.epoch).toBe(2);
      expect(await second.load('messages')).toEqual(expected);
      expect(await second.load('turns')).toEqual([]);
    });

    it('returns single records by their keys, in the requested order', async () => {
      const { storage } = await place();
      const store = await storage.open('game');
      await store.commit(
        ['a', 'b', 'c'].map((key) => put('memories', key, { key })).concat(put('files', 'd', 1)),
        random,
      );
      expect(await store.read('memories', ['c', 'x', 'a', 'd', 'constructor'])).toEqual([
        { key: 'c', value: { key: 'c' } },
        { key: 'a', value: { key: 'a' } },
      ]);
      const [first] = await store.read('memories', ['a']);
      (first?.value as { key: string }).key = 'changed'; // a copy
      await store.commit([put('memories', 'c', undefined)], random);
      expect(await store.read('memories', ['a', 'c'])).toEqual([{ key: 'a', value: { key: 'a' } }]);
      expect(await store.read('turns', ['a'])).toEqual([]);
      await store.close();
      await expect(store.read('memories', ['a'])).rejects.toMatchObject({ code: 'storage-closed' });
    });

    it('returns requested numbered records and none between them', async () => {
      const { storage } = await place();
      const store = await storage.open('game');
      const keys = ['a/07', 'a/08', 'a/08x', 'a/09', 'a/10', 'a/13', 'a/99', 'b/09', 'a/100'];
      await store.commit(
        keys.map((key) => put('memories', key, key)),
        random,
      );
      const asked = ['a/13', 'a/07', 'b/09', 'a/09', 'a/11', 'a/100', 'a/99', 'a/08'];
      expect(await store.read('memories', asked)).toEqual(
        asked.filter((key) => keys.includes(key)).map((key) => ({ key, value: key })),
      );
      await store.close();
    });

    it('returns the newest records of a table, or of a part of it, in key order', async () => {
      const { storage } = await place();
      const store = await storage.open('game');
      await store.commit(
        ['a/1', 'a/2', 'a/3', 'b/1'].map((key) => put('messages', key, key)).concat(put('turns', 'z', 'z')),
        random,
      );
      const newest = async (count: number, range?: { from: string; before: string }): Promise<unknown[]> =>
        (await store.load('messages', range, count)).map(({ value }) => value);
      const ofA = { from: 'a/0', before: 'a/~' };
      expect(await Promise.all([0, 1, 3, 4, 9].map((count) => newest(count)))).toEqual([
        [],
        ['b/1'],
        ['a/2', 'a/3', 'b/1'],
        ['a/1', 'a/2', 'a/3', 'b/1'],
        ['a/1', 'a/2', 'a/3', 'b/1'],
      ]);
      expect(await Promise.all([1, 2, 3, 9].map((count) => newest(count, ofA)))).toEqual([
        ['a/3'],
        ['a/2', 'a/3'],
        ['a/1', 'a/2', 'a/3'],
        ['a/1', 'a/2', 'a/3'],
      ]);
      expect(await newest(2, { from: 'c', before: 'd' })).toEqual([]);
      await store.close();
    });

    it.runIf(shares)(
      'shares records under a name, in one transaction with those of the session',
      async () => {
        const { storage, elsewhere } = await place();
        const first = await storage.open('one');
        const second = await elsewhere().open('two');
        const shared = (key: string, value: unknown, name = 'project'): Write => ({
          ...put('notes', key, value),
          shared: name,
        });
        const found = (name = 'project') => second.loadShared?.(name, 'notes');
        expect(await found()).toEqual([]);
        const value = { text: 'a' };
        await first.commit(
          [put('notes', 'own', 1), shared('b', 2), shared('a', value), shared('a', 3, 'x')],
          random,
        );
        value.text = 'changed';
        const written = [
          { key: 'a', value: { text: 'a' } },
          { key: 'b', value: 2 },
        ];
        expect(await found()).toEqual(written);
        expect([await found('x'), await found('one')]).toEqual([[{ key: 'a', value: 3 }], []]);
        expect([await first.load('notes'), await second.load('notes')]).toEqual([
          [{ key: 'own', value: 1 }],
          [],
        ]);
        const isWrong = { table: 'nothing', key: 'a', value: 1 } as unknown as Write;
        await expect(second.commit([shared('c', 1), isWrong], random)).rejects.toMatchObject({
          code: 'invalid',
        });
        expect(await found()).toEqual(written);

        await second.commit(
          [shared('a', undefined), { ...shared('b', 4), requires: { table: 'notes', key: 'b' } }],
          random,
        );
        // It does not know that `a` is removed.
        await first.commit([{ ...shared('a', 5), requires: { table: 'notes', key: 'a' } }], random);
        expect(await found()).toEqual([{ key: 'b', value: 4 }]);
        const needed = { requires: { table: 'notes' as const, key: 'b' } };
        await first.commit([{ ...shared('c', 6), ...needed }, shared('b', undefined)], random);
        await second.commit([shared('b', 4), { ...shared('d', 7), ...needed }], random); // in this order
        expect(await second.sharedKeys?.('project', 'notes')).toEqual(['b', 'c', 'd']);
        expect(await second.loadShared?.('project', 'notes', ['d', 'x', 'b'])).toEqual([
          { key: 'd', value: 7 },
          { key: 'b', value: 4 },
        ]);
        expect(await second.sharedKeys?.('project', 'memories')).toEqual([]);
        await first.commit([shared('c', undefined), shared('d', undefined)], random);
        await first.close();
        await storage.open('one', { takeOver: true });
        expect((await storage.export('one')).records.map(({ key }) => key)).toEqual(['own']);
        const taken = await elsewhere().open('two', { takeOver: true });
        await expect(second.commit([shared('d', 1)], random)).rejects.toMatchObject({
          code: 'session-fenced',
        });
        expect(await taken.loadShared?.('project', 'notes')).toEqual([{ key: 'b', value: 4 }]);
        await taken.close();
        await storage.remove('two');
        const third = await storage.open('three');
        expect(await third.loadShared?.('project', 'notes')).toEqual([{ key: 'b', value: 4 }]);
        await elsewhere().removeShared?.('project');
        expect([
          await third.sharedKeys?.('project', 'notes'),
          await third.sharedKeys?.('x', 'notes'),
        ]).toEqual([[], ['a']]);
      },
    );

    it('separates sessions and tables, whatever their names', async () => {
      const { storage } = await place();
      const names = ['a', 'a/b', '../a', 'a,b', '😀', 'constructor', '__proto__', ' ', 'a\u0000b'];
      for (const session of names) {
        const store = await storage.open(session);
        await store.commit([put('files', '/a', session), put('roles', '/a', `role of ${session}`)], random);
      }
      expect((await storage.list()).map((info) => info.name)).toEqual([...names].sort());
      for (const session of names) {
        const store = await storage.open(session, { takeOver: true });
        expect([await store.load('files'), await store.load('roles'), await store.load('turns')]).toEqual([
          [{ key: '/a', value: session }],
          [{ key: '/a', value: `role of ${session}` }],
          [],
        ]);
      }
    });

    it.each([
      ['no text', ''],
      ['10,000 characters', 'x'.repeat(10_000)],
      ['half a surrogate pair', 'a\ud800'],
    ])('rejects a name of %s everywhere', async (_what, session) => {
      const { storage } = await place();
      const exported = await exportOf(storage, 'other');
      for (const attempt of [
        () => storage.open(session),
        () => storage.remove(session),
        () => storage.export(session),
        () => storage.import(exported, session),
      ]) {
        expect(await codeOf(attempt())).toBe('invalid');
      }
      expect((await storage.list()).map((info) => info.name)).toEqual(['other']);
    });

    it('replaces and removes records; of two writes to one key in a commit the later one counts', async () => {
      const { storage } = await place();
      const store = await storage.open('game');
      await store.commit([put('files', '/a', 1), put('files', '/b', 1), put('files', '/c', 1)], random);
      await store.commit([put('files', '/a', 2), gone('files', '/b'), gone('files', '/never-there')], random);
      await store.commit([gone('files', '/c'), put('files', '/c', 3), put('files', '/a', 4)], random);
      expect(await store.load('files')).toEqual([
        { key: '/a', value: 4 },
        { key: '/c', value: 3 },
      ]);
    });

    it('writes nothing of a batch with a value that cannot be stored, names it, and continues', async () => {
      const { storage } = await place();
      const store = await storage.open('game');
      await store.commit([put('roles', 'Zero', 'before')], random);
      const batch = [
        put('roles', 'Zero', 'after'),
        put('turns', 'Zero/1', { run: () => 1 }),
        put('turns', 'Zero/2', 'x'),
      ];
      const error = await errorOf(store.commit(batch, [9, 9, 9, 9]));
      expect({ code: error.code, detail: error.detail }).toEqual({
        code: 'invalid',
        detail: { table: 'turns', key: 'Zero/1' },
      });
      expect([await store.load('roles'), await store.load('turns')]).toEqual([
        [{ key: 'Zero', value: 'before' }],
        [],
      ]);
      expect([store.random, (await storage.list())[0]?.head]).toEqual([random, 1]);
      await store.commit([put('roles', 'Zero', 'after all')], random);
      expect(await store.load('roles')).toEqual([{ key: 'Zero', value: 'after all' }]);
    });

    it.each([
      ['an unknown table', { table: 'secrets' as Table, key: 'a', value: 1 }],
      ['an inherited table name', { table: 'constructor' as Table, key: 'a', value: 1 }],
      ['an empty key', put('files', '', 1)],
      ['a key of 10,000 characters', put('files', 'k'.repeat(10_000), 1)],
    ])('rejects %s', async (_what, write) => {
      const { storage } = await place();
      const store = await storage.open('game');
      expect(await codeOf(store.commit([put('files', '/a', 1), write], random))).toBe('invalid');
      expect(await store.load('files')).toEqual([]);
    });

    it('stores copies: changes of inputs and outputs do not affect the stored value', async () => {
      const { storage } = await place();
      const store = await storage.open('game');
      const value = { list: [1], bytes: new Uint8Array([1, 2]) };
      const state: RandomState = [1, 1, 1, 1];
      const committed = store.commit([put('roles', 'Zero', value)], state);
      value.list.push(2);
      value.bytes[0] = 9;
      state[0] = 9;
      await committed;
      const [loaded] = (await store.load('roles')) as { value: typeof value }[];
      loaded?.value.list.push(3);
      expect(await store.load('roles')).toEqual([
        { key: 'Zero', value: { list: [1], bytes: new Uint8Array([1, 2]) } },
      ]);
      expect(store.random).toEqual([1, 1, 1, 1]);
    });

    it('runs the commits of one store in call order, and a load after them', async () => {
      const { storage } = await place();
      const store = await storage.open('game');
      const commits = Array.from({ length: 20 }, (_, n) =>
        store.commit([put('roles', 'Zero', n), put('inbox', pad(n), n)], [n, 0, 0, 0]),
      );
      const loaded = store.load('roles');
      await Promise.all(commits);
      expect(await loaded).toEqual([{ key: 'Zero', value: 19 }]);
      expect((await store.load('inbox')).map((record) => record.value)).toEqual([...Array(20).keys()]);
      expect([store.random, (await storage.list())[0]?.head]).toEqual([[19, 0, 0, 0], 20]);
    });

    it('restores head and randomness as of the last commit', async () => {
      const { storage, elsewhere } = await place();
      time = 1_000;
      const first = await storage.open('game');
      const seed = first.random;
      expect(seed).toHaveLength(4);
      await first.close();
      time = 2_000;
      const second = await storage.open('game');
      expect(second.random).toEqual(seed);
      await second.commit([put('roles', 'Zero', 1)], [5, 6, 7, 8]);
      await second.commit([], [6, 6, 7, 8]);
      await second.close();
      time = 3_000;
      expect((await elsewhere().open('game')).random).toEqual([6, 6, 7, 8]);
      expect(await storage.list()).toEqual([{ name: 'game', createdAt: 1_000, updatedAt: 2_000, head: 2 }]);
    });

    it('seeds two new sessions differently', async () => {
      const { storage } = await place();
      expect((await storage.open('a')).random).not.toEqual((await storage.open('b')).random);
    });

    it('admits one writer, and a second one only by takeover; the first can then no longer write', async () => {
      const { storage, elsewhere } = await place();
      const first = await storage.open('game');
      await first.commit([put('roles', 'Zero', 'first')], random);
      expect(await codeOf(storage.open('game'))).toBe('session-busy');
      const busy = await errorOf(elsewhere().open('game'));
      expect([busy.code, busy.message]).toEqual(['session-busy', expect.stringContaining('takeOver')]);

      const second = await elsewhere().open('game', { takeOver: true });
      await first.lost;
      expect(second.epoch).toBe(2);
      const late = [put('roles', 'Zero', 'stale'), put('inbox', '1', 'stale')];
      expect(await codeOf(first.commit(late, random))).toBe('session-fenced');
      await second.commit([put('roles', 'Zero', 'second')], random);
      expect(await codeOf(first.commit(late, random))).toBe('session-fenced');
      expect([await second.load('roles'), await second.load('inbox')]).toEqual([
        [{ key: 'Zero', value: 'second' }],
        [],
      ]);
      await first.close();
      await second.commit([put('roles', 'Zero', 'still mine')], random);
      expect(await codeOf(storage.open('game'))).toBe('session-busy');
    });

    it('releases the session on close, once, after the current commits', async () => {
      const { storage } = await place();
      const store = await storage.open('game');
      const committed = store.commit([put('roles', 'Zero', 1)], random);
      await Promise.all([store.close(), store.close()]);
      await committed;
      await store.close();
      expect([await codeOf(store.commit([], random)), await codeOf(store.load('roles'))]).toEqual([
        'storage-closed',
        'storage-closed',
      ]);
      expect(await (await storage.open('game')).load('roles')).toEqual([{ key: 'Zero', value: 1 }]);
    });

    it('stores one history when four writers take the session from each other', async () => {
      const { storage, elsewhere } = await place();
      interface Entry {
        writer: number;
        epoch: number;
        number: number;
      }
      const acknowledged: Entry[] = [];
      let takeOvers = 0;
      let fenced = 0;
      const writer = async (id: number, own: Storage) => {
        while (takeOvers < 40 || fenced < 10) {
          await pause(Math.random() * 20);
          try {
            const store = await own.open('game', { takeOver: true });
            takeOvers++;
            let number = (await store.load('inbox')).length;
            for (let commits = 0; commits < 8; commits++, number++) {
              const entry = { writer: id, epoch: store.epoch, number };
              await store.commit([put('inbox', pad(number), entry), put('roles', 'last', entry)], random);
              acknowledged.push(entry);
              await pause(Math.random() * 2);
            }
          } catch (error) {
            if (!(error instanceof RoleZeroError) || error.code !== 'session-fenced') throw error;
            fenced++;
          }
        }
      };
      await Promise.all([0, 1, 2, 3].map((id) => writer(id, elsewhere())));

      const last = await storage.open('game', { takeOver: true });
      const history = (await last.load('inbox')).map((record) => record.value as Entry);
      // Nothing is overwritten or lost, only acknowledged commits exist, and epochs never decrease.
      expect(history.map((entry) => entry.number)).toEqual([...history.keys()]);
      expect(history).toEqual([...acknowledged].sort((a, b) => a.number - b.number));
      expect(history).toEqual([...history].sort((a, b) => a.epoch - b.epoch));
      expect(await last.load('roles')).toEqual([{ key: 'last', value: history.at(-1) }]);
      expect((await storage.list())[0]?.head).toBe(history.length);
    });

    it('lists nothing, removes nothing and exports nothing when empty', async () => {
      const { storage } = await place();
      expect(await storage.list()).toEqual([]);
      await storage.remove('game');
      expect(await codeOf(storage.export('game'))).toBe('not-found');
    });

    it('removes a session completely, but not while it is open', async () => {
      const { storage, elsewhere } = await place();
      const neighbor = await storage.open('game2');
      await neighbor.commit([put('files', '/a', 'neighbor')], random);
      const store = await storage.open('game');
      await store.commit([put('files', '/a', 1), put('roles', 'Zero', 1)], random);
      expect(await codeOf(elsewhere().remove('game'))).toBe('session-busy');
      expect(await store.load('files')).toEqual([{ key: '/a', value: 1 }]);
      await store.close();
      await elsewhere().remove('game');
      expect((await storage.list()).map((info) => info.name)).toEqual(['game2']);
      const again = await storage.open('game');
      expect([await again.load('files'), again.epoch]).toEqual([[], 1]);
      expect(await neighbor.load('files')).toEqual([{ key: '/a', value: 'neighbor' }]);
    });

    it('restores a session from its JSON export, bytes included', async () => {
      const { storage } = await place();
      time = 1_000;
      const store = await storage.open('game');
      const values: [Table, string, unknown][] = [
        ['files', '/a.bin', { content: new Uint8Array([0, 1, 127, 128, 255]), modifiedAt: 5 }],
        ['files', '/big', { content: new Uint8Array(100_001).map((_, index) => (index * 7) & 255) }],
        ['files', '/empty', { content: new Uint8Array() }],
        ['files', '/text', { content: 'text ☃ \ud800 half a pair' }],
        ['inbox', '1', { $bytes: 'AAEC' }],
        ['inbox', '2', { $bytes: { $object: { $bytes: 'AAEC' } }, other: { $number: 'NaN' } }],
        ['messages', 'Zero/1', [undefined, null, NaN, -0, Infinity, 2 ** 60, 10n ** 30n]],
        [
          'messages',
          'Zero/2',
          { at: new Date(5), never: new Date(NaN), vector: new Float32Array([0.1, -2]) },
        ],
        ['roles', 'Zero', { map: new Map<unknown, unknown>([[{ a: 1 }, new Set([[1]])]]), none: undefined }],
      ];
      await store.commit(
        values.map(([table, key, value]) => put(table, key, value)),
        [7, -7, 0, 2 ** 31 - 1],
      );
      const text = JSON.stringify(await storage.export('game'));
      await store.close();
      await storage.remove('game');

      time = 2_000;
      const there = (await place()).storage; // another device
      expect(await there.import(JSON.parse(text))).toEqual({
        name: 'game',
        createdAt: 1_000,
        updatedAt: 2_000,
        head: 1,
      });
      const restored = await there.open('game');
      const loaded = [];
      for (const table of tables) {
        for (const { key, value } of await restored.load(table)) loaded.push([table, key, value]);
      }
      const order = new Map(tables.map((table, index) => [table, index]));
      const sorted = [...values].sort(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
      expect(loaded).toEqual(sorted);
      expect(restored.random).toEqual([7, -7, 0, 2 ** 31 - 1]);
      expect(JSON.stringify(await there.export('game'))).toBe(text);
    });

    it('imports under another name, but never over an existing session', async () => {
      const { storage } = await place();
      const document = await exportOf(storage, 'game');
      expect(await codeOf(storage.import(document))).toBe('invalid');
      expect((await storage.import(document, 'copy')).name).toBe('copy');
      expect(await codeOf(storage.import(document, 'copy'))).toBe('invalid');
      const copy = await storage.open('copy');
      await copy.commit([put('files', '/a', 'changed')], random);
      expect(await (await storage.open('game')).load('files')).toEqual([{ key: '/a', value: 'given' }]);
    });

    it.each(hostileDocuments())('rejects %s on import and writes nothing', async (_what, spoil, where) => {
      const { storage } = await place();
      const document = spoil(JSON.parse(JSON.stringify(await exportOf(storage, 'game'))) as Spoilable);
      const error = await errorOf(storage.import(document, 'copy'));
      expect({ code: error.code, message: error.message }).toEqual({
        code: 'invalid',
        message: expect.stringContaining(where) as string,
      });
      expect(error.message.length).toBeLessThan(500);
      expect((await storage.list()).map((info) => info.name)).toEqual(['game']);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });

    it('names a record without a portable form', async () => {
      const { storage } = await place();
      const store = await storage.open('game');
      const ring: Record<string, unknown> = {};
      ring['self'] = ring;
      await store.commit([put('roles', 'Zero', ring)], random);
      const error = await errorOf(storage.export('game'));
      expect([error.code, error.detail]).toEqual(['invalid', { table: 'roles', key: 'Zero' }]);
    });

    it('matches a plain map under random operations', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(operation(), { maxLength: 25 }), async (operations) => {
          const { storage, elsewhere } = await place();
          const model = { records: new Map<string, unknown>(), random: null as RandomState | null, head: 0 };
          let store = await storage.open('game');
          for (const step of operations) {
            if (step.do === 'commit') {
              await store.commit(step.writes, step.random);
              for (const { table, key, value } of step.writes) {
                if (value === undefined) model.records.delete(`${table}/${key}`);
                else model.records.set(`${table}/${key}`, value);
              }
              model.random = step.random;
              model.head++;
            } else if (step.do === 'reopen') {
              await store.close();
              store = await storage.open('game');
            } else if (step.do === 'take over') {
              store = await elsewhere().open('game', { takeOver: true });
            } else {
              const text = JSON.stringify(await storage.export('game'));
              await store.close();
              await storage.remove('game');
              await storage.import(JSON.parse(text));
              store = await storage.open('game');
              model.head = 1;
            }
          }
          expect(await everything(store)).toEqual(model.records);
          if (model.random !== null) expect(store.random).toEqual(model.random);
          expect((await storage.list()).map((info) => info.head)).toEqual([model.head]);
        }),
        { numRuns: runs },
      );
    });
  });
}

type Operation =
  { do: 'commit'; writes: Write[]; random: RandomState } | { do: 'reopen' | 'take over' | 'move' };

function operation(): fc.Arbitrary<Operation> {
  const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  const write = fc.record({
    table: fc.constantFrom(...tables),
    key: fc.constantFrom('a', 'b', '/é', '😀', 'role/1'), // Few keys, so that writes collide.
    value: fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 3, arbitrary: storable() }),
  });
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('commit' as const),
        writes: fc.array(write, { maxLength: 6 }),
        random: fc.tuple(word, word, word, word),
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom({ do: 'reopen' }, { do: 'take over' }, { do: 'move' } as const) },
  );
}

/** Any value that a record may have except `undefined`, including objects with members such as `$bytes`. */
function storable(): fc.Arbitrary<unknown> {
  return fc
    .anything({
      key: fc.oneof(fc.string(), fc.constantFrom('$bytes', '$object', '$map', 'constructor')),
      maxDepth: 3,
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      values: [
        fc.jsonValue(),
        fc.double(),
        fc.constant(undefined),
        fc.uint8Array(),
        fc.float32Array().map((floats) => floats.map((float) => (Number.isNaN(float) ? 0 : float))),
      ],
    })
    .filter((value) => value !== undefined && !JSON.stringify(value, withEveryValue).includes('__proto__'));
}

/** `JSON.stringify` throws at a bigint, and writes a map or set without its values. */
function withEveryValue(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Map || value instanceof Set ? [...value] : value;
}

interface Spoilable extends Record<string, unknown> {
  records: Record<string, unknown>[];
}

/** A fault; how to produce it from a valid document; and the text that locates it. */
function hostileDocuments(): [string, (document: Spoilable) => unknown, string][] {
  const record = (spoil: object) => (document: Spoilable) => ({
    ...document,
    records: [...document.records, { table: 'files', key: '/b', value: 1, ...spoil }],
  });
  const value = (json: string) => record({ value: JSON.parse(json) as unknown });
  return [
    ['no object', () => 'rolezero-session', 'format'],
    ['nothing', () => null, 'format'],
    ['a list', () => [], 'format'],
    ['another format', (document) => ({ ...document, format: 'tar' }), 'format'],
    ['a later version', (document) => ({ ...document, version: 2 }), 'version'],
    ['a member nobody knows', (document) => ({ ...document, extra: 1 }), "'extra'"],
    [
      'a __proto__ beside the members',
      (document) =>
        JSON.parse(JSON.stringify(document).replace('{', '{"__proto__":{"polluted":1},')) as unknown,
      "'__proto__'",
    ],
    ['a name that is not text', (document) => ({ ...document, name: 5 }), 'name'],
    ['a time before 1970', (document) => ({ ...document, createdAt: -1 }), 'createdAt'],
    ['a time that is text', (document) => ({ ...document, createdAt: '2026' }), 'createdAt'],
    ['three words of randomness', (document) => ({ ...document, random: [1, 2, 3] }), 'random'],
    ['half a word of randomness', (document) => ({ ...document, random: [1, 2, 3, 0.5] }), 'random'],
    ['no records', (document) => ({ ...document, records: {} }), 'records'],
    ['far too many records', (document) => ({ ...document, records: new Array(1_000_001) }), 'records'],
    ['a hole among the records', (document) => ({ ...document, records: [null] }), 'records[0]'],
    ['a record of an unknown table', record({ table: 'secrets' }), 'records[1].table'],
    ['a record of an inherited table name', record({ table: 'toString' }), 'records[1].table'],
    ['a record with a key that is no text', record({ key: ['a'] }), 'records[1].key'],
    ['a record with an empty key', record({ key: '' }), 'records[1].key'],
    ['a record with an over-long key', record({ key: 'k'.repeat(2049) }), 'records[1].key'],
    ['a record with one member more', record({ session: 'other' }), "'session'"],
    ['a record without value', record({ value: undefined }), 'records[1].value'],
    ['a record whose value says undefined', value('{"$undefined":true}'), 'records[1].value'],
    ['one key twice', record({ key: '/a' }), 'records[1]'],
    ['a __proto__ deep inside', value('{"a":[{"__proto__":{"polluted":1}}]}'), 'records[1].value.a[0]'],
    ['a __proto__ behind a tag', value('{"$object":{"__proto__":{"polluted":1}}}'), 'records[1].value'],
    ['a value without end', value('['.repeat(5_000) + ']'.repeat(5_000)), 'records[1].value'],
    ['a tower of tags', value('{"$set":['.repeat(5_000) + ']}'.repeat(5_000)), 'records[1].value'],
    ['a tower of escapes', value('{"$object":'.repeat(5_000) + '1' + '}'.repeat(5_000)), 'records[1].value'],
    ['bytes that are not base64', value('{"$bytes":"%%%"}'), 'records[1].value'],
    ['bytes that are a number', value('{"$bytes":1000000000}'), 'records[1].value'],
    ['floats of three bytes', value('{"$floats":"AAAA"}'), 'records[1].value'],
    ['a number that is a word', value('{"$number":"1e3"}'), 'records[1].value'],
    ['a bigint that is code', value('{"$bigint":"0x10"}'), 'records[1].value'],
    ['a date that is text', value('{"$date":"now"}'), 'records[1].value'],
    ['a map of triples', value('{"$map":[[1,2,3]]}'), 'records[1].value'],
    ['a set that is none', value('{"$set":{"length":5}}'), 'records[1].value'],
    ['a tag of another release', value('{"$regexp":"a+"}'), "'$regexp'"],
    ['a live function', record({ value: { run: () => 1 } }), 'records[1].value.run'],
  ];
}

async function exportOf(storage: Storage, name: string) {
  const store = await storage.open(name);
  await store.commit([put('files', '/a', 'given')], random);
  await store.close();
  return storage.export(name);
}

async function everything(store: SessionStore): Promise<Map<string, unknown>> {
  const all = new Map<string, unknown>();
  for (const table of tables) {
    for (const { key, value } of await store.load(table)) all.set(`${table}/${key}`, value);
  }
  return all;
}

/** The `RoleZeroError` a promise rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<RoleZeroError> {
  const error = await promise.then(
    () => new Error('it resolved'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof RoleZeroError)) throw error;
  return error;
}

/** The code a promise rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<ErrorCode> {
  return (await errorOf(promise)).code;
}

function gone(table: Table, key: string): Write {
  return { table, key, value: undefined };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
