import type { TimeLimits } from '../openai/patience.js';

/**
 * The part of an AI SDK language model that is used. `LanguageModelV2`, `V3`, and `V4` of `@ai-sdk/provider` match it, such as the result
 * of `createOpenAI(…)('gpt-5-mini')`.
 */
export interface AiSdkModel {
  /** `v2`, `v3`, or `v4`. */
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doStream(options: AiSdkCall): PromiseLike<{ stream: ReadableStream<unknown> }>;
}

/** Options of a model call. */
export interface AiSdkCall {
  prompt: { role: string; content: unknown }[];
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
  seed?: number | undefined;
  stopSequences?: string[] | undefined;
  /** `{ type: 'function', name, description, inputSchema }` */
  tools?: object[] | undefined;
  /** `{ type: 'auto' }`, `none`, or `required` */
  toolChoice?: object | undefined;
  responseFormat?: { type: 'text' } | { type: 'json'; name?: string; schema?: object } | undefined;
  abortSignal?: AbortSignal | undefined;
  headers?: Record<string, string | undefined> | undefined;
  // Keyed by provider and option; typed by each provider.
  providerOptions?: object | undefined;
}

/** Properties of a model that the AI SDK interface does not provide. */
export interface FromAiSdkOptions {
  /** Context window in tokens, shared by prompt and reply. Required for models that are not in the catalog of known models. */
  contextWindow?: number;
  /** Maximum number of tokens per reply. A request can only lower it. */
  maxOutputTokens?: number;
  /**
   * True if the model supports JSON schemas for replies (`responseFormat`).
   * @default false
   */
  jsonSchema?: boolean;
  /**
   * True if the model calls tools in the native form of its service. Roles then give it their commands as tools. `required`: it must
   * call one in each reply. By default, true for known models. After a call that the provider rejects because of its tools, commands are
   * asked for in another form, with a warning.
   */
  toolCalls?: boolean | 'required';
  /** True if the model supports images; otherwise a note replaces each image. By default, the value in the catalog, else false. */
  images?: boolean;
  /**
   * True if the model supports `seed`.
   * @default false
   */
  seed?: boolean;
  /**
   * True if calls at the same time do not wait for each other; the roles of a team then work at the same time. Set it to false for a model
   * that runs on this machine.
   * @default true
   */
  parallel?: boolean;
  /** Provider options of every call, such as `{ openai: { reasoningEffort: 'low' } }`. */
  providerOptions?: Record<string, Record<string, unknown>>;
  /** Additional request headers. */
  headers?: Record<string, string>;
  /**
   * Maximum number of retries of a failed call before any part of its reply was emitted.
   * @default 5
   */
  retries?: number;
  /** In ms; see `TimeLimits`. */
  timeouts?: Partial<TimeLimits>;
  /**
   * Returns a uniform random number in [0, 1), which spreads waiting times.
   * @default Math.random
   */
  random?: () => number;
}
