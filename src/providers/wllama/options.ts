import type { WllamaEngine } from './engine.js';

/** Options of a wllama model. */
export interface WllamaOptions {
  /**
   * Creates the engine: `() => new Wllama({ default: wasmURL })`. Called when the model is first needed, and again after an unload or a
   * failure. Your application installs `@wllama/wllama` and provides the URL of its `wllama.wasm`.
   */
  engine: () => WllamaEngine;
  /** URL of a GGUF file (of the first one when the model is split), or the files themselves. */
  model: string | readonly Blob[];
  /** Name in events and errors. By default, the file name. */
  name?: string;
  /**
   * Context window in tokens, shared by prompt and reply. A larger window needs more memory.
   * @default 4_096
   */
  contextWindow?: number;
  /** Maximum number of tokens per reply. A request can only lower it. By default, a quarter of the window. */
  maxOutputTokens?: number;
  /**
   * Allows the model to think before it answers. On a CPU, thinking takes minutes. Replies with a schema never include thinking.
   * @default false
   */
  thinking?: boolean;
  /** Additional load options, such as `{ n_threads: 4 }`; see `LoadModelParams` of wllama. */
  load?: Readonly<Record<string, unknown>>;
}
