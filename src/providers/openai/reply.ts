import { defined } from '../../core/defined.js';
import { isRecord } from '../../core/json.js';
import type { ChatChunk } from '../../core/model.js';

export type FinishReason = Extract<ChatChunk, { type: 'finish' }>['reason'];
export type Usage = Extract<ChatChunk, { type: 'usage' }>;

/** Content of one message of a server: an event of a stream, or a whole reply. */
export interface Piece {
  text: string;
  reasoning: string;
  finish: FinishReason | null;
  usage: Usage | null;
}

/** Reads a `chat.completion.chunk` (with `delta`) or a `chat.completion` (with `message`). Returns null for anything else. */
export function readPiece(message: unknown): Piece | null {
  if (!isRecord(message)) return null;
  const { choices, usage } = message;
  if (!Array.isArray(choices) && !isRecord(usage)) return null;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const part = isRecord(choice) ? (choice['delta'] ?? choice['message']) : undefined;
  const delta = isRecord(part) ? part : {};
  const refusal = string(delta['refusal']);
  const finish = isRecord(choice) ? finishReason(choice['finish_reason']) : null;
  return {
    text: string(delta['content']) + refusal,
    // DeepSeek, llama.cpp, and LM Studio use reasoning_content; OpenRouter, Ollama, and vLLM use reasoning; proxies may send both
    reasoning: string(delta['reasoning_content']) || string(delta['reasoning']),
    finish: refusal !== '' && finish !== null ? 'content-filter' : finish,
    usage: readUsage(usage),
  };
}

function finishReason(reason: unknown): FinishReason | null {
  if (typeof reason !== 'string' || reason === '') return null;
  if (reason === 'stop' || reason === 'length') return reason;
  return reason === 'content_filter' ? 'content-filter' : 'other';
}

function readUsage(usage: unknown): Usage | null {
  if (!isRecord(usage)) return null;
  const details = usage['prompt_tokens_details'];
  const cached = (isRecord(details) ? details['cached_tokens'] : null) ?? usage['prompt_cache_hit_tokens'];
  const cost = usage['cost'];
  return {
    type: 'usage',
    promptTokens: count(usage['prompt_tokens']),
    completionTokens: count(usage['completion_tokens']),
    ...defined({
      cachedPromptTokens: typeof cached === 'number' ? count(cached) : undefined,
      costUsd: typeof cost === 'number' && cost >= 0 ? cost : undefined,
    }),
  };
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function count(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.round(value) : 0;
}
