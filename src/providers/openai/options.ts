import type { KnownModel } from './catalogue.js';
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
   * Tokens that prompt and reply share. Default: the catalogue's value for known models; required for all others. Do not set it higher than
   * the server's own setting: some servers then silently cut off the beginning of the prompt, instructions first. `readLimits` asks the server.
   */
  contextWindow?: number;
  /**
   * Maximum tokens of a reply, reasoning included, for calls that set none or a higher one. Default: the catalogue's value for known models,
   * at most 32,768; otherwise the caller's.
   */
  maxOutputTokens?: number;
  /** Further request headers. Their values are kept out of errors like the key. */
  headers?: Record<string, string>;
  /**
   * The server holds replies to a `response_format` of type `json_schema`. Default: true for known models of OpenAI and Google at OpenAI and
   * OpenRouter, otherwise false: plain text works everywhere.
   */
  jsonSchema?: boolean;
  /** The model reads images. Default: the catalogue's value for known models, otherwise false: a note replaces each image. */
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
  /** US dollars, used where the server does not report what a call cost. Default: the catalogue's list price for known models. */
  price?: { promptPerMillion: number; completionPerMillion: number };
  /** Instead of the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Uniform in [0, 1): spreads waiting times. Default `Math.random`. */
  random?: () => number;
}

/** The model is a known one, or the options say its context window. */
export type WindowOption = { model: KnownModel } | { contextWindow: number };
