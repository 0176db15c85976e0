import type { JsonSchema } from './json.js';
import type { WarningCode } from './warning.js';

/** Why a model is asked; for traces, budgets and tests. */
export type Purpose =
  | 'classify'
  | 'language'
  | 'think'
  | 'quick'
  | 'report'
  | 'summary'
  | 'repair'
  | 'regenerate'
  | 'duplicate-problem'
  | 'plan'
  | 'rank'
  | 'score'
  | 'stage'
  | 'search-rewrite'
  | 'search-rank'
  | 'search-answer'
  | 'compact'
  | 'other';

export type ContentPart = { type: 'text'; text: string } | { type: 'image'; url: string };

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string | ContentPart[];
}

export interface ChatRequest {
  purpose: Purpose;
  messages: readonly ChatMessage[];
  signal: AbortSignal;
  /** Only sent to models whose `supports.jsonSchema` is true; the reply is validated all the same. */
  responseSchema?: JsonSchema;
  maxOutputTokens?: number;
  temperature?: number;
  seed?: number;
  stop?: string[];
}

/** US dollars. */
export interface Price {
  promptPerMillion: number;
  completionPerMillion: number;
}

/** One piece of a reply as it arrives. Counts are tokens. */
export type ChatChunk =
  | { type: 'text-delta'; text: string }
  | { type: 'reasoning-delta'; text: string }
  | {
      type: 'usage';
      promptTokens: number;
      completionTokens: number;
      cachedPromptTokens?: number;
      costUsd?: number;
      /** How fast it went, where the model tells; 0 where there was nothing to measure. */
      rates?: { promptTokensPerSecond: number; completionTokensPerSecond: number };
    }
  | {
      type: 'progress';
      loaded: number;
      total: number;
      text: string;
      /** It is more than progress: something went wrong that the call goes on without. The code of the fault. */
      warning?: WarningCode;
    }
  | { type: 'finish'; reason: 'stop' | 'length' | 'content-filter' | 'other' };

/**
 * A language model, whatever stands behind it. `chat` streams one reply and ends after `finish`; it throws a `RoleZeroError`
 * (`model-…`, `aborted`) and stops, connections included, when `request.signal` aborts.
 */
export interface ChatModel {
  readonly id: string;
  /** Missing when it costs nothing, or nobody knows. */
  readonly price?: Price;
  /** Tokens that prompt and reply share. */
  readonly contextWindow: number;
  readonly maxOutputTokens?: number;
  readonly supports?: { jsonSchema?: boolean; images?: boolean; seed?: boolean };
  chat(request: ChatRequest): AsyncIterable<ChatChunk>;
  /** Exact where the model can tell; else an estimate that errs high is used. */
  countTokens?(text: string): number | Promise<number>;
}

/** Turns texts into vectors of `dimensions` numbers, in order. */
export interface Embedder {
  readonly id: string;
  readonly dimensions: number;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
}
