import { describe, expect, it } from 'vitest';
import type { Experience, ExperienceStore } from '../../src/core/experience.js';

/** An empty store, and the same data as seen from another tab. */
export type ExperienceStoreUnderTest = () => { store: ExperienceStore; elsewhere: ExperienceStore };

const experience = (uuid: string, resp = 'reply'): Experience => ({
  uuid,
  tag: 'RoleZero.think',
  req: `request ${uuid}`,
  resp,
  metric: { score: { val: 10, reason: 'worked' } },
  expType: 'success',
  entryType: 'Automatic',
  timestamp: 1,
});

/** The contract of every `ExperienceStore`. */
export function experienceStoreContract(name: string, fresh: ExperienceStoreUnderTest): void {
  describe(`${name} fulfills the contract of experience stores:`, () => {
    it('returns what was put, by key and all in key order, also from another tab', async () => {
      const { store, elsewhere } = fresh();
      expect([await store.get('shop', 'a'), await store.list('shop')]).toEqual([undefined, []]);
      const [a, b, c] = [experience('a'), experience('b'), experience('c')];
      await store.put('shop', [c, a]);
      await store.put('shop', [b]);
      expect(await elsewhere.get('shop', 'b')).toEqual(b);
      expect(await elsewhere.list('shop')).toEqual([a, b, c]);
    });

    it('replaces entries with the same key; within one call the later one counts', async () => {
      const { store } = fresh();
      await store.put('shop', [experience('a', 'first')]);
      await store.put('shop', [experience('a', 'second'), experience('a', 'third')]);
      expect(await store.list('shop')).toEqual([experience('a', 'third')]);
    });

    it('removes some or all, and ignores unknown keys', async () => {
      const { store, elsewhere } = fresh();
      await store.put(
        'shop',
        ['a', 'b', 'c'].map((uuid) => experience(uuid)),
      );
      await store.remove('shop', ['a', 'never', 'c']);
      expect(await elsewhere.list('shop')).toEqual([experience('b')]);
      await store.clear('shop');
      await store.clear('never');
      await store.remove('never', ['a']);
      expect(await elsewhere.list('shop')).toEqual([]);
    });

    it('separates pools, whatever their names', async () => {
      const { store } = fresh();
      const names = ['a', 'a/b', 'a,b', '', ' ', '__proto__', 'constructor', '\uffff', '😀'];
      for (const pool of names) await store.put(pool, [experience('x', pool)]);
      await store.clear('a');
      for (const pool of names) {
        expect(await store.list(pool)).toEqual(pool === 'a' ? [] : [experience('x', pool)]);
      }
    });

    it('copies its inputs and outputs', async () => {
      const { store } = fresh();
      const given = experience('a');
      await store.put('shop', [given]);
      given.resp = 'changed';
      ((await store.get('shop', 'a')) as Experience).resp = 'changed';
      ((await store.list('shop')) as Experience[]).forEach((entry) => (entry.resp = 'changed'));
      expect(await store.get('shop', 'a')).toEqual(experience('a'));
    });

    it('puts all of a call or nothing', async () => {
      const { store } = fresh();
      const broken = { ...experience('b'), resp: (() => 1) as unknown as string };
      await expect(store.put('shop', [experience('a'), broken])).rejects.toThrow();
      expect(await store.list('shop')).toEqual([]);
    });
  });
}
