import type { WllamaEngine } from './engine.js';

/** Which model runs on the processor, and with what. */
export interface WllamaOptions {
  /**
   * Makes the engine, `() => new Wllama({ default: wasmURL })`: called when the model is first needed, and again when it was unloaded or
   * has broken down. Your application installs `@wllama/wllama` and says where its `wllama.wasm` is.
   */
  engine: () => WllamaEngine;
  /** Address of a GGUF file, of the first one when the model is split; or the files themselves. */
  model: string | readonly Blob[];
  /** A name for it in events and errors; default: the file's name. */
  name?: string;
  /** Tokens that prompt and reply share; default 4,096. More takes more memory. */
  contextWindow?: number;
  /** Upper bound of a reply in tokens, for calls that name none or a higher one; default: a quarter of the window. */
  maxOutputTokens?: number;
  /**
   * Whether a model that can think aloud does so before it answers; default false. On a processor thoughts take minutes, and replies held
   * to a schema are not thought about.
   */
  thinking?: boolean;
  /** Passed on when the model is loaded, `{ n_threads: 4 }` for example; see `LoadModelParams` of wllama. */
  load?: Readonly<Record<string, unknown>>;
}
