/** As much of Chrome's Prompt API as is needed; what was renamed is here by both names. */
export interface LanguageModelFactory {
  /** To be asked with the same options as `create`. */
  availability(options?: CoreOptions): Promise<string>;
  create(options?: CreateOptions): Promise<LanguageModelSession>;
}

/** How daring replies are. Pages have this; `temperature` and `topK`, which it excludes, only extensions and trials. */
export type SamplingMode = 'most-predictable' | 'predictable' | 'balanced' | 'creative' | 'most-creative';

interface Expected {
  type: 'text';
  languages: string[];
}

export interface CoreOptions {
  samplingMode?: SamplingMode;
  temperature?: number;
  topK?: number;
  expectedInputs?: Expected[];
  expectedOutputs?: Expected[];
}

export interface CreateOptions extends CoreOptions {
  initialPrompts?: readonly Prompt[];
  signal?: AbortSignal;
  monitor?: (monitor: EventTarget) => void;
}

export interface Prompt {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface PromptOptions {
  signal?: AbortSignal;
  /** A JSON Schema. */
  responseConstraint?: object;
  /** The schema is not told to the model as text as well. */
  omitResponseConstraintInput?: boolean;
}

export interface LanguageModelSession {
  readonly contextUsage?: number;
  readonly contextWindow?: number;
  readonly inputUsage?: number;
  readonly inputQuota?: number;
  measureContextUsage?(input: readonly Prompt[], options?: PromptOptions): Promise<number>;
  measureInputUsage?(input: readonly Prompt[], options?: PromptOptions): Promise<number>;
  append(input: readonly Prompt[], options?: { signal?: AbortSignal }): Promise<unknown>;
  promptStreaming(input: readonly Prompt[], options?: PromptOptions): ReadableStream<string>;
  destroy(): void;
}

/** Tokens that a session has taken in so far. */
export function usageOf(session: LanguageModelSession): number {
  return session.contextUsage ?? session.inputUsage ?? 0;
}

/** Tokens that a session can take in; infinite when it does not say. */
export function windowOf(session: LanguageModelSession): number {
  return session.contextWindow ?? session.inputQuota ?? Infinity;
}

/** Tokens that prompts would take. */
export async function measure(
  session: LanguageModelSession,
  prompts: readonly Prompt[],
  options: PromptOptions,
): Promise<number> {
  if (session.measureContextUsage) return session.measureContextUsage(prompts, options);
  return (await session.measureInputUsage?.(prompts, options)) ?? 0;
}
