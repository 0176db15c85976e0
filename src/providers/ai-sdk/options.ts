import type { TimeLimits } from '../openai/patience.js';

/**
 * As much of a language model of the AI SDK as is needed: `LanguageModelV2`, `V3` and `V4` of `@ai-sdk/provider` all fit, what
 * `createOpenAI(…)('gpt-5-mini')` gives for example.
 */
export interface AiSdkModel {
  /** `v2`, `v3` or `v4`. */
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doStream(options: AiSdkCall): PromiseLike<{ stream: ReadableStream<unknown> }>;
}

/** What such a model is asked with. */
export interface AiSdkCall {
  prompt: { role: string; content: unknown }[];
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
  seed?: number | undefined;
  stopSequences?: string[] | undefined;
  responseFormat?: { type: 'text' } | { type: 'json'; name?: string; schema?: object } | undefined;
  abortSignal?: AbortSignal | undefined;
  headers?: Record<string, string | undefined> | undefined;
  // By provider and option; typed by each provider.
  providerOptions?: object | undefined;
}

/** What the interface of the AI SDK does not tell about a model. */
export interface FromAiSdkOptions {
  /** Tokens that prompt and reply share. Required for models that the catalogue of known models does not list. */
  contextWindow?: number;
  /** Upper bound of a reply in tokens, for calls that name none or a higher one. */
  maxOutputTokens?: number;
  /** The model holds replies to a JSON schema (`responseFormat`); default false. */
  jsonSchema?: boolean;
  /** The model reads images; default: what the catalogue says, else false, which replaces each image by a note. */
  images?: boolean;
  /** The model takes a `seed`; default false. */
  seed?: boolean;
  /** Passed on with each call, such as `{ openai: { reasoningEffort: 'low' } }`. */
  providerOptions?: Record<string, Record<string, unknown>>;
  /** Further request headers. */
  headers?: Record<string, string>;
  /** How often a failed call is repeated before anything of its reply was shown; default 5. */
  retries?: number;
  /** Milliseconds; see `TimeLimits`. */
  timeouts?: Partial<TimeLimits>;
  /** Uniform in [0, 1): spreads waiting times. Default `Math.random`. */
  random?: () => number;
}
