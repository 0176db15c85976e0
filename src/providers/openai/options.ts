import type { TimeLimits } from './patience.js';

/** How to reach a model behind the OpenAI chat completions protocol. */
export interface OpenAIOptions {
  /** Up to and including `/v1`, with or without a final slash; see `openaiBaseURLs` for well-known servers. */
  baseURL: string;
  /** The model's name as the server knows it. */
  model: string;
  /** Sent as `Authorization: Bearer …` to `baseURL` only; a function is asked before each request. Local servers need none. */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * Tokens that prompt and reply share; default 8192. The protocol has no way to ask for it, and a figure which is too high is the worse
   * mistake: some servers then cut off the beginning of the prompt, instructions first, without a word. Ollama and LM Studio load models
   * with 4096 tokens unless told otherwise: raise it there, or say 4096 here.
   */
  contextWindow?: number;
  /** Upper bound of a reply in tokens, for calls that name none or a higher one. */
  maxOutputTokens?: number;
  /** Further request headers. Their values are kept out of errors like the key. */
  headers?: Record<string, string>;
  /** The server holds replies to a `response_format` of type `json_schema`; default false: plain text works everywhere. */
  jsonSchema?: boolean;
  /** The model reads images; default false: a note stands in for each image. */
  images?: boolean;
  /** The server takes a `seed`; default false. */
  seed?: boolean;
  /** Merged into each request body, over everything the library puts there, such as `{ reasoning_effort: 'low' }`. */
  extraBody?: Record<string, unknown>;
  /** How often a failed request is repeated before anything of its reply was shown; default 5. */
  retries?: number;
  /** Milliseconds; see `TimeLimits`. */
  timeouts?: Partial<TimeLimits>;
  /** The most characters of reply and reasoning that are read; the reply then ends with `length`. Default 262,144. */
  maxReplyLength?: number;
  /** US dollars, used where the server does not tell what a call cost. */
  price?: { promptPerMillion: number; completionPerMillion: number };
  /** Instead of the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Uniform in [0, 1): spreads waiting times. Default `Math.random`. */
  random?: () => number;
}
