import type { SessionStore, Storage } from 'rolezero/worker';

/** When a worker waits to be killed. */
export interface KillConfig {
  baseURL: string;
  /** The commit at which it waits; 0 for never. */
  point: number;
  moment: 'before' | 'after';
}

/** What the worker tells the page beside the session: how many commits there were, and when it is time to kill it. */
export type KillNews = { commits: number; kill: boolean };

/** Commits as always, and stands still at the point where it is to be killed: before writing, or when it is written. */
export function killable(storage: Storage, config: () => KillConfig): Storage {
  let commits = 0;
  return {
    open: async (name, options) => {
      const store = await storage.open(name, options);
      const commit = store.commit.bind(store);
      const patched: Pick<SessionStore, 'commit'> = {
        commit: async (writes, random, options) => {
          commits += 1;
          const here = commits === config().point;
          if (!here || config().moment === 'after') await commit(writes, random, options);
          const news: KillNews = { commits, kill: here };
          postMessage(news);
          if (here) await new Promise<never>(() => {});
        },
      };
      return Object.assign(store, patched);
    },
    list: () => storage.list(),
    remove: (name) => storage.remove(name),
    export: (name) => storage.export(name),
    import: (document, name) => storage.import(document, name),
  };
}
