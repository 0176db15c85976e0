import { defined } from '../../core/defined.js';
import { finishReason, type FinishReason } from '../../core/finish-reason.js';
import { asString, isRecord } from '../../core/json.js';
import type { ChatChunk, CallChunk } from '../../core/model.js';
import type { PromptProgress } from '../local/progress.js';

export type ReplyUsage = Extract<ChatChunk, { type: 'usage' }>;

/** Content of one message of a server: an event of a stream, or a whole reply. */
export interface Piece {
  text: string;
  reasoning: string;
  calls: CallPiece[];
  /** It comes from a `message`, which is a part of the reply with some servers, and the whole reply with others. */
  isMessage: boolean;
  finish: FinishReason | null;
  /** The server's word for the end of a reply that failed; empty otherwise. */
  failure: string;
  usage: ReplyUsage | null;
  /** How far llama.cpp has read the prompt. */
  read: PromptProgress | null;
}

/** Reads a `chat.completion.chunk` (with `delta`) or a `chat.completion` (with `message`). Returns null for anything else. */
export function readPiece(event: unknown): Piece | null {
  if (!isRecord(event)) return null;
  const { choices, usage } = event;
  if (!Array.isArray(choices) && !isRecord(usage)) return null;
  const choice = firstChoice(choices);
  const word = choice['finish_reason'];
  const read = finishReason(word);
  const finish = read === 'failure' ? null : read;
  const delta = messageContent({ content: choice['text'], ...asRecord(choice['delta']) });
  const deltaCalls = readCallPieces(asRecord(choice['delta']));
  const isMessage =
    delta.text + delta.reasoning === '' && deltaCalls.length === 0 && isRecord(choice['message']);
  const message = asRecord(choice['message']);
  const { text, reasoning, isRefused } = isMessage ? messageContent(message) : delta;
  return {
    text,
    reasoning,
    calls: isMessage ? readCallPieces(message) : deltaCalls,
    isMessage,
    finish: isRefused && finish !== null ? 'content-filter' : finish,
    failure: read === 'failure' ? asString(word) : '',
    usage: readUsage(usage),
    read: readProgress(event['prompt_progress']),
  };
}

function readProgress(progress: unknown): PromptProgress | null {
  const { total, processed } = asRecord(progress);
  return typeof total === 'number' && typeof processed === 'number' ? { total, processed } : null;
}

/** Returns the choice with index 0. A server without an index sends only one. */
function firstChoice(choices: unknown): Record<string, unknown> {
  const list: unknown[] = Array.isArray(choices) ? choices : [];
  return list.filter(isRecord).find(({ index }) => Number(index ?? 0) === 0) ?? {};
}

function messageContent(part: Record<string, unknown>): {
  text: string;
  reasoning: string;
  isRefused: boolean;
} {
  const { content, refusal } = part;
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  // DeepSeek, llama.cpp, and LM Studio use reasoning_content; OpenRouter, Ollama, and vLLM use reasoning; proxies may send both
  const reasoning = flat(part['reasoning_content']) || flat(part['reasoning']);
  return {
    text: flat(parts.filter((each) => !isThought(each))) + asString(refusal),
    reasoning: reasoning || flat(parts.filter(isThought)),
    isRefused: asString(refusal) !== '',
  };
}

/** Returns whether a part of a content is reasoning, as Mistral and Databricks send it. */
function isThought(part: unknown): boolean {
  return isRecord(part) && /think|reason/.test(asString(part['type']));
}

/** Joins the texts of content parts. */
function flat(value: unknown): string {
  if (Array.isArray(value)) return value.map(flat).join('');
  return isRecord(value) ? flat(value['text'] ?? value['thinking'] ?? value['summary']) : asString(value);
}

function readUsage(usage: unknown): ReplyUsage | null {
  if (!isRecord(usage)) return null;
  const details = usage['prompt_tokens_details'];
  const cached = (isRecord(details) ? details['cached_tokens'] : null) ?? usage['prompt_cache_hit_tokens'];
  const cost = usage['cost'];
  return {
    type: 'usage',
    promptTokens: tokenCount(usage['prompt_tokens'] ?? usage['input_tokens']),
    completionTokens: tokenCount(usage['completion_tokens'] ?? usage['output_tokens']),
    ...defined({
      cachedPromptTokens: typeof cached === 'number' ? tokenCount(cached) : undefined,
      costUsd: typeof cost === 'number' && cost >= 0 ? cost : undefined,
    }),
  };
}

/** Merges the counts that a server sends one after another: running totals, or zeros of a proxy. A zero replaces no tokenCount. */
export function mergedUsage(before: ReplyUsage | null, next: ReplyUsage | null): ReplyUsage | null {
  if (before === null || next === null) return next ?? before;
  return {
    ...before,
    ...next,
    promptTokens: next.promptTokens || before.promptTokens,
    completionTokens: next.completionTokens || before.completionTokens,
  };
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function tokenCount(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.round(value) : 0;
}

/** A piece of a call as a server sends it. */
interface CallPiece {
  /** Missing where a server does not tokenCount calls. */
  index?: number;
  /** Empty in later pieces, and at servers without ids. */
  id: string;
  /** Empty in later pieces. */
  name: string;
  args: string;
}

/** Reads the pieces of calls in a `delta` or `message`: `tool_calls`, or `function_call` of older servers. */
function readCallPieces(part: Record<string, unknown>): CallPiece[] {
  const { tool_calls: list, function_call: single } = part;
  if (Array.isArray(list)) return (list as unknown[]).filter(isRecord).map(readCallPiece);
  return isRecord(single) ? [readCallPiece({ index: 0, function: single })] : [];
}

function readCallPiece({ index, id, function: named }: Record<string, unknown>): CallPiece {
  const { name, arguments: args } = isRecord(named) ? named : {};
  return {
    ...(typeof index === 'number' && { index }),
    id: asString(id),
    name: asString(name),
    // Ollama sends objects in its own form, and some gateways hand them on
    args: typeof args === 'string' ? args : isRecord(args) ? JSON.stringify(args) : '',
  };
}

interface StreamedCall {
  /** What the server counts it as; undefined where it does not tokenCount. */
  index: number | undefined;
  serverId: string;
  chunk: Omit<CallChunk, 'args'>;
  args: string;
}

/**
 * Joins the pieces of a reply to calls: servers leave out ids, repeat names, do not tokenCount, or tokenCount every call as the first one. `newId`
 * returns an id for a call without one.
 */
export class StreamedToolCalls {
  readonly #newId: () => string;
  readonly #calls: StreamedCall[] = [];

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Returns what a piece adds; null for a piece that adds nothing. */
  add(piece: CallPiece): CallChunk | null {
    const known = this.#find(piece);
    if (known !== undefined) {
      known.args += piece.args;
      return piece.args === '' ? null : { ...known.chunk, args: piece.args };
    }
    if (piece.name === '') return null; // the rest of a call whose name never came
    const isFree = piece.id !== '' && this.#calls.every(({ chunk }) => chunk.id !== piece.id);
    const id = isFree ? piece.id : this.#newId();
    const chunk = { type: 'tool-call' as const, index: this.#calls.length, id, name: piece.name };
    this.#calls.push({ index: piece.index, serverId: piece.id, chunk, args: piece.args });
    return { ...chunk, args: piece.args };
  }

  /** Returns the call that a piece continues; undefined for the first piece of a call. */
  #find({ index, id, name }: CallPiece): StreamedCall | undefined {
    if (name === '') return this.#calls.findLast((call) => index === undefined || call.index === index);
    const same = this.#calls.findLast((call) =>
      index !== undefined ? call.index === index : id !== '' && call.serverId === id,
    );
    if (same === undefined || (id !== '' && same.serverId !== '' && same.serverId !== id)) return undefined;
    // two calls with the same number and no ids: the first one is whole when the second begins
    return id === '' && isJsonRecord(same.args) ? undefined : same;
  }
}

function isJsonRecord(args: string): boolean {
  try {
    return isRecord(JSON.parse(args));
  } catch {
    return false;
  }
}
