import type { JsonSchema } from './json.js';
import type { WarningCode } from './error.js';

/** How much a model thinks before it replies. Models without this setting ignore it. */
export type Reasoning = 'none' | 'low' | 'medium' | 'high';

export const REASONING: readonly Reasoning[] = ['none', 'low', 'medium', 'high'];

/** Purpose of a model call, for traces, budgets and tests. */
export type Purpose =
  | 'classify'
  | 'language'
  | 'think'
  | 'quick'
  | 'report'
  | 'summary'
  | 'output'
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

/** A call of a tool, as a model wrote it in the native form of its server. */
export interface ToolCall {
  /** Names the call in the message with its result. */
  id: string;
  /** See `ToolSpec.name`. */
  name: string;
  /** JSON text; not valid when the reply was cut off. */
  args: string;
}

/** A tool that a model may call in the native form of its server. */
export interface ToolSpec {
  /** Letters, digits, `_` and `-`, at most 64: what all servers accept. */
  name: string;
  description: string;
  /** Schema of an object. */
  parameters: JsonSchema;
}

export interface ChatMessage {
  /** `tool` for the result of a call. */
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | ContentPart[];
  /** Calls of an assistant message. A message with the role `tool` follows for each, in this order. */
  toolCalls?: readonly ToolCall[];
  /** Id of the call of a `tool` message. */
  toolCallId?: string;
}

export interface ChatRequest {
  purpose: Purpose;
  messages: readonly ChatMessage[];
  signal: AbortSignal;
  /** Only sent to models whose `supports.jsonSchema` is true. The reply is validated in any case. */
  responseSchema?: JsonSchema;
  /** Only sent to models whose `supports.toolCalls` is true. */
  tools?: readonly ToolSpec[];
  /**
   * `none`: this reply calls no tool. The tools are in the request nevertheless, because the prompt begins with them.
   * @default 'auto'
   */
  toolChoice?: 'auto' | 'none';
  maxOutputTokens?: number;
  temperature?: number;
  /** How much the model thinks before it replies. Ignored by models without this setting. */
  reasoning?: Reasoning;
  seed?: number;
  stop?: string[];
}

/** US dollars. */
export interface Price {
  promptPerMillion: number;
  completionPerMillion: number;
}

/**
 * What a model does before it replies: it waits for its turn, is downloaded, is loaded into memory, or reads the prompt.
 */
export type ModelPhase = 'waiting' | 'downloading' | 'loading' | 'reading';

/** One piece of a reply as it arrives. Counts are tokens. */
export type ChatChunk =
  | { type: 'text-delta'; text: string }
  | { type: 'reasoning-delta'; text: string }
  | {
      /** A piece of a call of a tool. `id` and `name` are whole in the first piece with its `index`, and ignored in later ones. */
      type: 'tool-call';
      /** Counts the calls of a reply from 0. */
      index: number;
      id: string;
      name: string;
      /** The next piece of the arguments. */
      args: string;
    }
  | {
      type: 'usage';
      promptTokens: number;
      completionTokens: number;
      cachedPromptTokens?: number;
      costUsd?: number;
      /** Speed, if the model reports it; 0 where nothing could be measured. */
      rates?: { promptTokensPerSecond: number; completionTokensPerSecond: number };
    }
  | {
      type: 'progress';
      /**
       * What the model does.
       * @default 'loading'
       */
      phase?: ModelPhase;
      /** Bytes, tokens or steps, of `total`; 0 of 0 when unknown. */
      loaded: number;
      total: number;
      /** A sentence for users. */
      text: string;
      /** Milliseconds until a failed request is sent again, set while the call waits for that; `loaded` of `total` attempts have failed. */
      retryInMs?: number;
      /** Error code, set when an error occurred that the call continues after. */
      warning?: WarningCode;
    }
  | {
      type: 'finish';
      /**
       * `stop` only when the reply is known to be whole. `other` for an end that proves nothing: what is complete in the reply is used, as after
       * `length`.
       */
      reason: 'stop' | 'length' | 'content-filter' | 'other';
    };

/** Returns whether a chunk is a part of the reply itself: after one, a call cannot be repeated without showing text twice. */
export function isContent({ type }: ChatChunk): boolean {
  return type === 'text-delta' || type === 'reasoning-delta' || type === 'tool-call';
}

/** A piece of a native call. */
export type CallChunk = Extract<ChatChunk, { type: 'tool-call' }>;

/** What a model does before its reply. */
export type ProgressChunk = Extract<ChatChunk, { type: 'progress' }>;

/**
 * A language model of any provider. `chat` streams one reply and ends after `finish`; a reply without `finish` counts as broken off. It throws a `RoleZeroError` (`model-…`, `aborted`).
 * It stops, and closes its connections, when `request.signal` aborts.
 */
export interface ChatModel {
  readonly id: string;
  /** Absent when the model is free or its price is unknown. */
  readonly price?: Price;
  /** Tokens that prompt and reply share. */
  readonly contextWindow: number;
  readonly maxOutputTokens?: number;
  /** Number of weights, if known. Roles treat a small model differently: see the option `preset` of `RoleZero`. */
  readonly parameters?: number;
  readonly supports?: {
    jsonSchema?: boolean;
    toolCalls?: boolean;
    images?: boolean;
    seed?: boolean;
    /** Several calls at the same time do not wait for each other: the roles of a team work at the same time. */
    parallel?: boolean;
  };
  chat(request: ChatRequest): AsyncIterable<ChatChunk>;
  /**
   * Loads the model and reads messages with which the next prompt begins, so that its reply starts sooner. Only models that run on this
   * machine have it. It must end when the signal aborts.
   */
  prepare?(messages: readonly ChatMessage[], signal: AbortSignal): AsyncIterable<ProgressChunk>;
  /** Exact token count, if the model provides it. Without it, an estimate that errs on the high side is used. */
  countTokens?(text: string): number | Promise<number>;
}

/** Turns texts into vectors of `dimensions` numbers, in order. */
export interface Embedder {
  readonly id: string;
  readonly dimensions: number;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
}

/** A request to a model, as it was sent. */
export interface SentPrompt extends Omit<ChatRequest, 'signal'> {
  /** Name of the role. */
  role: string;
  /** Id of the model. */
  model: string;
}
