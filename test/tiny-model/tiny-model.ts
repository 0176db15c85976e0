import type { AppConfig, ModelRecord } from '@mlc-ai/web-llm';

/** The tiny model at the server of the browser tests, as one page or worker uses it. */
export interface TinyModel {
  model: string;
  appConfig: AppConfig;
  /** The other one: address of the tiny chain's file. */
  chain: string;
  /** Files requested so far. */
  requests(): Promise<string[]>;
  offline(): Promise<void>;
  online(): Promise<void>;
}

let made = 0;

/** A copy of the model that has never been downloaded. */
export function tinyModel(server: string, record: Partial<ModelRecord> = {}): TinyModel {
  const site = `${server}/${crypto.randomUUID()}-${made++}`;
  const tell = async (what: string) => (await fetch(`${site}/-/${what}`)).json() as Promise<unknown>;
  return {
    model: 'tiny',
    chain: `${site}/chain.gguf`,
    appConfig: {
      model_list: [
        { model: `${site}/model`, model_id: 'tiny', model_lib: `${site}/library.wasm`, ...record },
      ],
    },
    requests: async () => (await tell('requests')) as string[],
    async offline() {
      await tell('offline');
    },
    async online() {
      await tell('online');
    },
  };
}
