import type { SessionStore, Storage } from 'rolezero/worker';
import type { Write } from '../../src/core/store.js';

/** Where a worker waits to be killed. Entries of the log count as commits. */
export interface KillConfig {
  baseURL: string;
  /** The commit at which it waits; 0 for never. */
  point: number;
  moment: 'before' | 'after';
  /** Name of the notes and memories that its role shares, where it has some. */
  notes?: string;
}

/** Posted by the worker after each commit: the number of commits so far, the kind of this one, and whether to kill the worker now. */
export type KillNews = { commits: number; kind: string; kill: boolean };

/** The tables of a commit, without ids and numbers: commits of one kind store the same step of the loop. */
function kindOf(writes: readonly Write[]): string {
  const places = writes.map(
    ({ table, key, value }) =>
      `${value === undefined ? 'remove ' : ''}${table}/${key.replaceAll(/[0-9a-f]{32}|\d+|\/[\w./-]*$/g, '*')}`,
  );
  return [...new Set(places)].toSorted().join(', ');
}

/** A storage that commits as usual and pauses at the point of the kill: before or after the write. */
export function killable(storage: Storage, config: () => KillConfig): Storage {
  let commits = 0;
  return {
    open: async (name, options) => {
      const store = await storage.open(name, options);
      const commit = store.commit.bind(store);
      const log = store.log?.bind(store);
      const pausing = async <Value>(
        writes: readonly Write[],
        write: () => Promise<Value>,
      ): Promise<Value> => {
        commits += 1;
        const here = commits === config().point;
        const kind = kindOf(writes);
        const written = here && config().moment === 'before' ? null : await write();
        const news: KillNews = { commits, kind, kill: here };
        postMessage(news);
        return here ? new Promise<never>(() => {}) : (written as Value);
      };
      const patched: Pick<SessionStore, 'commit' | 'log'> = {
        commit: (writes, random, options) => pausing(writes, () => commit(writes, random, options)),
        ...(log === undefined ? {} : { log: (writes, random) => pausing(writes, () => log(writes, random)) }),
      };
      return Object.assign(store, patched);
    },
    list: () => storage.list(),
    remove: (name) => storage.remove(name),
    export: (name) => storage.export(name),
    import: (document, name) => storage.import(document, name),
  };
}
