import { editor } from 'rolezero/tools';
import { browser } from 'rolezero/tools/browser';
import { terminal } from 'rolezero/tools/terminal';
import {
  Engineer,
  indexedDbStorage,
  longTermMemory,
  serve,
  TeamLeader,
  type ChatModel,
  type ChatRequest,
  type Storage,
} from 'rolezero/worker';
import { ALEX, STEPS } from './steps.js';

/** Where the worker pauses until it is killed. */
export interface ReferenceConfig {
  targets: string[];
}
/** Posted at every point, `kill` where it pauses, with the number of commits when the session was opened. */
export type ReferenceNews = { point: string; kill: boolean } | { opened: number };

let targets = new Set<string>();
let head = 0;
let modelCalls = 0;

/** A point of the run, named after what is stored there, so that a resumed run has the same names. */
async function reached(point: string): Promise<void> {
  const kill = targets.has(point);
  const news: ReferenceNews = { point, kill };
  postMessage(news);
  if (kill) await new Promise<never>(() => {});
}

function watched(storage: Storage): Storage {
  return {
    list: () => storage.list(),
    remove: (name) => storage.remove(name),
    export: (name) => storage.export(name),
    import: (document, name) => storage.import(document, name),
    open: async (name, options) => {
      const store = await storage.open(name, options);
      head = store.position?.head ?? 0;
      const news: ReferenceNews = { opened: head };
      postMessage(news);
      const commit = store.commit.bind(store);
      const log = store.log?.bind(store);
      let logged = 0;
      return Object.assign(store, {
        commit: async (...given: Parameters<typeof commit>) => {
          await reached(`before ${head + 1}`);
          await commit(...given);
          head += 1;
          logged = 0;
          modelCalls = 0;
          await reached(`after ${head}`);
        },
        log: async (...given: Parameters<typeof commit>) => {
          const place = `log ${head + 1}.${++logged}`;
          await reached(`before ${place}`);
          const isLogged = (await log?.(given[0], given[1])) ?? false;
          await reached(`after ${place}`);
          return isLogged;
        },
      });
    },
  };
}

/** Replies with the step after the last one that its newest message names. */
function model(steps: readonly string[], first: number): ChatModel {
  const say = ({ purpose, messages }: ChatRequest): string => {
    if (purpose === 'summary') return `It was made in step${first}.`;
    if (purpose !== 'think') return `${purpose}.`;
    const newest = messages.at(-1)?.content as string;
    const done = [...newest.matchAll(/step(\d+)/g)].map(([, number]) => Number(number));
    return steps[Math.max(first - 1, ...done) + 1 - first] ?? steps.at(-1) ?? '';
  };
  return {
    id: 'reference',
    contextWindow: 9_000,
    countTokens: (text) => Math.ceil(text.length / 4),
    async *chat(request) {
      await reached(`asked ${head} ${(modelCalls += 1)}`);
      yield { type: 'text-delta', text: say(request) };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

serve<ReferenceConfig>(
  (config) => {
    targets = new Set(config.targets);
    return {
      leader: new TeamLeader({
        model: model(STEPS, 0),
        tools: [...editor(), ...terminal(), ...browser()],
        maxSteps: 80,
        longTermMemory: longTermMemory({ maxMessages: 20 }),
      }),
      roles: [new Engineer({ model: model(ALEX, 20), tools: editor() })],
    };
  },
  { storage: watched(indexedDbStorage()) },
);
