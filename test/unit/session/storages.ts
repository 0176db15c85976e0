import type { RandomState } from '../../../src/core/runtime.js';
import type { SessionStore, Storage, Write } from '../../../src/core/store.js';

/** What is in the log and not yet committed; it survives a kill. */
export interface Log {
  writes: Write[];
  random: RandomState | null;
}

/** Dies at its n-th write, before or after it. Every write to the store or its log counts. */
export interface Death {
  point: number;
  moment: 'before' | 'after';
  count: number;
  die: () => void;
}

/** Counts writes and never dies. */
export function alive(): Death {
  return { point: Infinity, moment: 'after', count: 0, die: () => {} };
}

/** A storage with a log like that of the browser: logged writes are part of the next commit, and not read before. Null: without a log. */
export function killedStorage(storage: Storage, log: Log | null, death: Death): Storage {
  const never = new Promise<never>(() => {});
  const dying = async <Value>(write: () => Promise<Value>): Promise<Value> => {
    death.count += 1;
    if (death.count > death.point) return never; // a dead store never writes
    if (death.count < death.point) return write();
    if (death.moment === 'after') await write();
    death.die();
    return never;
  };
  return {
    ...bind(storage),
    async open(name, options) {
      const inner = await storage.open(name, options);
      const commit: SessionStore['commit'] = (writes, random, options) =>
        inner.commit([...(log?.writes.splice(0) ?? []), ...writes], random, options);
      if (log !== null && log.random !== null && log.writes.length > 0) await commit([], log.random);
      const store: SessionStore = {
        name: inner.name,
        epoch: inner.epoch,
        lost: inner.lost,
        get random() {
          return inner.random;
        },
        load: (table, range) => inner.load(table, range),
        read: (table, keys) => inner.read(table, keys),
        loadShared: async (...args) => (await inner.loadShared?.(...args)) ?? [],
        sharedKeys: async (...args) => (await inner.sharedKeys?.(...args)) ?? [],
        close: () => inner.close(),
        commit: (writes, random, options) => dying(() => commit(writes, random, options)),
      };
      if (log === null) return store;
      store.log = (writes, random) =>
        dying(async () => {
          log.writes.push(...structuredClone(writes));
          log.random = random;
          return true;
        });
      store.settle = async () => {
        if (log.random !== null && log.writes.length > 0) await commit([], log.random);
      };
      return store;
    },
  };
}

/** A storage without a log that dies at its n-th commit: before the write, or after the write and before the acknowledgement. */
export function dyingAt(
  storage: Storage,
  point: number,
  moment: Death['moment'],
): { storage: Storage; died: Promise<void> } {
  let die: () => void = () => {};
  const died = new Promise<void>((resolve) => (die = resolve));
  return { storage: killedStorage(storage, null, { point, moment, count: 0, die }), died };
}

/** Counts commits. */
export function counting(storage: Storage): { storage: Storage; count(): number } {
  let count = 0;
  return {
    count: () => count,
    storage: {
      ...bind(storage),
      async open(name, options) {
        const store = await storage.open(name, options);
        const commit = store.commit.bind(store);
        store.commit = (writes, random, options) => {
          count += 1;
          return commit(writes, random, options);
        };
        return store;
      },
    },
  };
}

/** The same storage as a plain object, so that parts can be replaced. */
export function bind(storage: Storage): Storage {
  return {
    open: (name, options) => storage.open(name, options),
    list: () => storage.list(),
    remove: (name) => storage.remove(name),
    export: (name) => storage.export(name),
    import: (document, name) => storage.import(document, name),
  };
}
