/** The part of Chrome's Prompt API that is used. Renamed members are listed with both names. */
export interface LanguageModelFactory {
  /** Must be called with the same options as `create`. */
  availability(options?: CoreOptions): Promise<string>;
  create(options?: CreateOptions): Promise<LanguageModelSession>;
}

/** Randomness of replies. Available on pages; the alternative `temperature` and `topK` only in extensions and trials. */
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
  /** JSON Schema for the reply. */
  responseConstraint?: object;
  /** Does not also send the schema to the model as text. */
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

/** Returns the number of tokens in a session. */
export function usageOf(session: LanguageModelSession): number {
  return session.contextUsage ?? session.inputUsage ?? 0;
}

/** Returns the context window of a session in tokens, or infinity when it is not reported. */
export function sessionWindow(session: LanguageModelSession): number {
  return session.contextWindow ?? session.inputQuota ?? Infinity;
}

/** Returns the number of tokens that prompts would use. */
export async function measure(
  session: LanguageModelSession,
  prompts: readonly Prompt[],
  options: PromptOptions,
): Promise<number> {
  if (session.measureContextUsage) return session.measureContextUsage(prompts, options);
  return (await session.measureInputUsage?.(prompts, options)) ?? 0;
}
