import { defined } from '../../core/defined.js';
import { RoleZeroError } from '../../core/error.js';
import { isLocal } from './base-url.js';
import { type KnownModel, modelFacts, type ModelFacts } from './catalogue.js';
import type { TimeLimits } from './patience.js';

/** Options of a model with an OpenAI-compatible chat completions API. */
export interface OpenAIOptions {
  /** URL up to and including `/v1`, with or without a trailing slash; see `openaiBaseURLs` for common servers. */
  baseURL: string;
  /** Name of the model on the server. */
  model: string;
  /** Sent as `Authorization: Bearer …` to `baseURL` only. A function is called before each request. Local servers need no key. */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * Context window in tokens, shared by prompt and reply. By default, the catalog's value for known models; required for all others.
   *
   * Do not set it higher than the server's own setting. Otherwise, some servers silently cut off the start of the prompt, which contains
   * the instructions. `readLimits` queries the server.
   */
  contextWindow?: number;
  /**
   * Maximum number of tokens per reply, including reasoning. A request can only lower it. By default, the catalog's value for known models,
   * at most 32,768; otherwise the request's value.
   */
  maxOutputTokens?: number;
  /** Number of weights of the model, which decides about the `preset` of roles. By default, what the name says: `qwen3:8b`. */
  parameters?: number;
  /** Additional request headers. Their values are removed from errors, like the key. */
  headers?: Record<string, string>;
  /**
   * True if the server enforces a `response_format` of type `json_schema`. By default, true for known models of OpenAI and Google at OpenAI
   * and OpenRouter, otherwise false, because plain text works everywhere; `readLimits` sets it for other servers. After a reply that shows
   * the contrary, none is requested any more, with a warning.
   */
  jsonSchema?: boolean;
  /**
   * True if the model calls tools in the native form of the server (`tools`). Roles then give it their commands as tools, and it needs no
   * form of its own. `required`: it must call one in each reply (`tool_choice`), for models that otherwise write calls as text. By
   * default, true for known models, otherwise false; `readLimits` finds out with one call.
   * After a request that a server rejects because of its tools, commands are asked for in another form, with a warning.
   */
  toolCalls?: boolean | 'required';
  /**
   * True if the model supports images; otherwise a note replaces each image. By default, the catalog's value for known models, else false.
   */
  images?: boolean;
  /**
   * True if the server reports how far it has read a prompt, as llama.cpp does (`return_progress`); users see it as `model-progress`.
   * `readLimits` sets it.
   * @default false
   */
  promptProgress?: boolean;
  /**
   * True if the server supports `seed`.
   * @default false
   */
  seed?: boolean;
  /**
   * True if calls at the same time do not wait for each other; the roles of a team then work at the same time. By default, false for a
   * server on this machine or in a private network, which may answer one call at a time or read each prompt from its start, else true.
   */
  parallel?: boolean;
  /** Merged into each request body, such as `{ reasoning_effort: 'low' }`. Overrides the fields set by the library. */
  extraBody?: Record<string, unknown>;
  /**
   * Maximum number of retries of a failed request before any part of its reply was emitted.
   * @default 5
   */
  retries?: number;
  /** In ms; see `TimeLimits`. */
  timeouts?: Partial<TimeLimits>;
  /**
   * Maximum number of characters of reply and reasoning. A longer reply ends with `length`.
   * @default 262_144
   */
  maxReplyLength?: number;
  /**
   * Price in US dollars, used when the server does not report the cost of a call. By default, the catalog's list price for known models.
   */
  price?: { promptPerMillion: number; completionPerMillion: number };
  /** Replacement for the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * Returns a uniform random number in [0, 1), which spreads waiting times.
   * @default Math.random
   */
  random?: () => number;
}

/** Names of all options. */
export const OPENAI_OPTION_NAMES: Record<keyof OpenAIOptions, true> = {
  baseURL: true,
  model: true,
  apiKey: true,
  contextWindow: true,
  maxOutputTokens: true,
  headers: true,
  jsonSchema: true,
  toolCalls: true,
  images: true,
  seed: true,
  parallel: true,
  promptProgress: true,
  parameters: true,
  extraBody: true,
  retries: true,
  timeouts: true,
  maxReplyLength: true,
  price: true,
  fetch: true,
  random: true,
};

/** Requires a known model or a context window. */
export type WindowOption = { model: KnownModel } | { contextWindow: number };

/**
 * Maximum number of tokens per reply that the catalog sets by default, although models can write up to 128,000. Providers count the maximum
 * of a request against rate limits and credit in advance, and a budget must reserve it.
 */
export const MAX_DEFAULT_OUTPUT = 32_768;

/** Services that enforce a JSON Schema for replies, for the models that the catalog marks accordingly. */
const SCHEMA_HOSTS: ReadonlySet<string> = new Set(['api.openai.com', 'openrouter.ai']);

/** Options with a context window. */
export type CompleteOptions = OpenAIOptions & { contextWindow: number };

/**
 * Returns the catalog entry of the model at this URL. Returns null for unknown models, and for open weights on this machine or in a private
 * network, where the server's settings determine the window.
 */
export function factsAt({ baseURL, model }: Pick<OpenAIOptions, 'baseURL' | 'model'>): ModelFacts | null {
  const facts = modelFacts(model);
  const { hostname } = new URL(baseURL);
  return facts?.openWeights === true && isLocal(hostname) ? null : facts;
}

/**
 * Fills in missing options from the catalog.
 * @throws RoleZeroError `invalid` when the context window is unknown.
 */
export function withKnownLimits(options: OpenAIOptions): CompleteOptions {
  const facts = factsAt(options);
  const contextWindow = options.contextWindow ?? facts?.contextWindow;
  if (contextWindow === undefined) throw unknownWindow(options);
  if (facts === null) return { ...options, contextWindow };
  const { hostname } = new URL(options.baseURL);
  return {
    maxOutputTokens: Math.min(facts.maxOutputTokens, MAX_DEFAULT_OUTPUT),
    images: facts.images,
    jsonSchema: facts.jsonSchema && SCHEMA_HOSTS.has(hostname),
    toolCalls: true, // all models of the catalogue can
    ...defined({ price: facts.price }),
    ...options,
    contextWindow,
  };
}

function unknownWindow({ baseURL, model }: OpenAIOptions): RoleZeroError {
  const { host } = new URL(baseURL);
  const why =
    modelFacts(model) === null
      ? `"${model}" is not in the catalogue of known models`
      : `the server at ${host} decides the window of "${model}", whose weights are open`;
  return new RoleZeroError(
    'invalid',
    `contextWindow is missing: ${why}. Write contextWindow: 32_768 (the tokens that the server really reads), or ask the server: openai(await readLimits({ baseURL, model })).`,
    { option: 'contextWindow', model },
  );
}
