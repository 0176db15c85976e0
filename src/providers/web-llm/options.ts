import type { AppConfig } from '@mlc-ai/web-llm';

/** Which model runs in the browser, and how. */
export interface WebLLMOptions {
  /** Its id in the list of models, such as `Qwen3-1.7B-q4f16_1-MLC`; see `models` and `chooseModel`. */
  model: string;
  /** Models of your own: where their weights and libraries are, and how downloads are kept. Default: the list that comes with web-llm. */
  appConfig?: AppConfig;
  /**
   * Tokens that prompt and reply share; default: what the list says of the model, mostly 4096. More takes more of the GPU's memory, less
   * helps where memory is short.
   */
  contextWindow?: number;
  /** Upper bound of a reply in tokens, for calls that name none or a higher one; default: a quarter of the window. */
  maxOutputTokens?: number;
  /**
   * Whether the model may think aloud before it answers. False skips it, which small models are faster and better obeyed with. Default:
   * false for the Qwen3 family, and otherwise what the model does by itself. Replies held to a schema are never thought about.
   */
  thinking?: boolean;
}
