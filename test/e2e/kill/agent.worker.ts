import { editor } from 'rolezero/tools';
import { openai } from 'rolezero/providers/openai';
import { indexedDbStorage, RoleZero, serve, type SessionStore, type Storage } from 'rolezero/worker';

export interface KillConfig {
  baseURL: string;
  /** The commit at which this worker waits to be killed; 0 for never. */
  point: number;
  moment: 'before' | 'after';
}

/** What the worker tells the page beside the session: how many commits there were, and when it is time to kill it. */
export type KillNews = { commits: number; kill: boolean };

let config: KillConfig = { baseURL: '', point: 0, moment: 'before' };
let commits = 0;

/** Commits as always, and stands still at the point where it is to be killed: before writing, or when it is written. */
function killable(storage: Storage): Storage {
  return {
    open: async (name, options) => {
      const store = await storage.open(name, options);
      const commit = store.commit.bind(store);
      const patched: Pick<SessionStore, 'commit'> = {
        commit: async (writes, random) => {
          commits += 1;
          const here = commits === config.point;
          if (!here || config.moment === 'after') await commit(writes, random);
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

serve<KillConfig>(
  (given) => {
    config = given;
    return new RoleZero({ model: openai({ baseURL: given.baseURL, model: 'main-job' }), tools: editor() });
  },
  { storage: killable(indexedDbStorage()) },
);
