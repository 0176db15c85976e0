import { defined } from '../../core/defined.js';
import { finishReason, type FinishReason } from '../../core/finish-reason.js';
import { isRecord } from '../../core/json.js';
import type { ChatChunk } from '../../core/model.js';
import type { PromptProgress } from '../local/reading-progress.js';
import { readCallPieces, type CallPiece } from './tool-calls.js';

export type Usage = Extract<ChatChunk, { type: 'usage' }>;

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
  usage: Usage | null;
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
  const delta = contentOf({ content: choice['text'], ...asRecord(choice['delta']) });
  const deltaCalls = readCallPieces(asRecord(choice['delta']));
  const isMessage =
    delta.text + delta.reasoning === '' && deltaCalls.length === 0 && isRecord(choice['message']);
  const message = asRecord(choice['message']);
  const { text, reasoning, isRefused } = isMessage ? contentOf(message) : delta;
  return {
    text,
    reasoning,
    calls: isMessage ? readCallPieces(message) : deltaCalls,
    isMessage,
    finish: isRefused && finish !== null ? 'content-filter' : finish,
    failure: read === 'failure' ? string(word) : '',
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

function contentOf(part: Record<string, unknown>): { text: string; reasoning: string; isRefused: boolean } {
  const { content, refusal } = part;
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  // DeepSeek, llama.cpp, and LM Studio use reasoning_content; OpenRouter, Ollama, and vLLM use reasoning; proxies may send both
  const reasoning = flat(part['reasoning_content']) || flat(part['reasoning']);
  return {
    text: flat(parts.filter((each) => !isThought(each))) + string(refusal),
    reasoning: reasoning || flat(parts.filter(isThought)),
    isRefused: string(refusal) !== '',
  };
}

/** Returns whether a part of a content is reasoning, as Mistral and Databricks send it. */
function isThought(part: unknown): boolean {
  return isRecord(part) && /think|reason/.test(string(part['type']));
}

/** Joins the texts of content parts. */
function flat(value: unknown): string {
  if (Array.isArray(value)) return value.map(flat).join('');
  return isRecord(value) ? flat(value['text'] ?? value['thinking'] ?? value['summary']) : string(value);
}

function readUsage(usage: unknown): Usage | null {
  if (!isRecord(usage)) return null;
  const details = usage['prompt_tokens_details'];
  const cached = (isRecord(details) ? details['cached_tokens'] : null) ?? usage['prompt_cache_hit_tokens'];
  const cost = usage['cost'];
  return {
    type: 'usage',
    promptTokens: count(usage['prompt_tokens'] ?? usage['input_tokens']),
    completionTokens: count(usage['completion_tokens'] ?? usage['output_tokens']),
    ...defined({
      cachedPromptTokens: typeof cached === 'number' ? count(cached) : undefined,
      costUsd: typeof cost === 'number' && cost >= 0 ? cost : undefined,
    }),
  };
}

/** Merges the counts that a server sends one after another: running totals, or zeros of a proxy. A zero replaces no count. */
export function mergedUsage(before: Usage | null, next: Usage | null): Usage | null {
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

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function count(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.round(value) : 0;
}
