import type { AppConfig } from '@mlc-ai/web-llm';

/** Options of a web-llm model. */
export interface WebLLMOptions {
  /** Id in the model list, such as `Qwen3-1.7B-q4f16_1-MLC`; see `models` and `chooseModel`. */
  model: string;
  /** Your own models: locations of weights and libraries, and how downloads are cached. By default, the list of web-llm. */
  appConfig?: AppConfig;
  /**
   * Context window in tokens, shared by prompt and reply. By default, the value in the model list, usually 4096. A larger window needs more
   * GPU memory; a smaller one helps when memory is short.
   */
  contextWindow?: number;
  /** Maximum number of tokens per reply. A request can only lower it. By default, a quarter of the window. */
  maxOutputTokens?: number;
  /**
   * Allows the model to think before it answers. Without thinking, small models are faster and follow instructions better. By default,
   * false for the Qwen3 family, and the model's own default otherwise. Replies with a schema never include thinking.
   */
  thinking?: boolean;
}
