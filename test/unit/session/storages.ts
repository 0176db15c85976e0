import type { SessionStore, Storage } from '../../../src/core/store.js';

/** A store that dies at its n-th commit: before the write, or after the write and before the acknowledgement. */
export function dyingAt(
  storage: Storage,
  point: number,
  moment: 'before' | 'after',
): { storage: Storage; died: Promise<void> } {
  let count = 0;
  let die: () => void = () => {};
  const died = new Promise<void>((resolve) => (die = resolve));
  const never = new Promise<never>(() => {});
  const dying: Storage = {
    ...bind(storage),
    async open(name, options) {
      const store = await storage.open(name, options);
      const wrapped: SessionStore = {
        name: store.name,
        epoch: store.epoch,
        lost: store.lost,
        get random() {
          return store.random;
        },
        load: (table, range) => store.load(table, range),
        read: (table, keys) => store.read(table, keys),
        close: () => store.close(),
        async commit(writes, random, options) {
          count += 1;
          if (count > point) return never; // Calls of a dead store never write.
          if (count < point) return store.commit(writes, random, options);
          if (moment === 'after') await store.commit(writes, random, options);
          die();
          return never;
        },
      };
      return wrapped;
    },
  };
  return { storage: dying, died };
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
