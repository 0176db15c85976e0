import { defined } from '../../core/defined.js';
import { finishReason } from '../../core/finish-reason.js';
import { asString, isRecord } from '../../core/json.js';
import type { ChatChunk } from '../../core/model.js';

/** Content of one stream part; empty for parts that are not used. */
export interface ReadPart {
  chunks: ChatChunk[];
  /** Set when the reply was interrupted, with the reason and the word for its end if they were given. */
  fault?: { error: unknown; word?: string };
}

/** Calls of a reply so far: their number by id, and how much of their arguments has arrived. */
export type KnownCalls = Map<string, { index: number; args: string }>;

/** Reads a stream part of version 2, 3, or 4. The versions differ in the final parts. */
export function readPart(part: unknown, calls: KnownCalls): ReadPart {
  if (!isRecord(part)) return { chunks: [] };
  switch (part['type']) {
    case 'tool-input-start':
      return { chunks: callChunks(calls, part['id'], part['toolName'], '') };
    case 'tool-input-delta':
      return { chunks: callChunks(calls, part['id'], '', asString(part['delta'])) };
    case 'tool-call': {
      // the whole call again after its pieces, or instead of them
      const id = asString(part['toolCallId']);
      const { input } = part;
      const whole = typeof input === 'string' ? input : JSON.stringify(input ?? {});
      const known = calls.get(id)?.args ?? '';
      const rest = whole.startsWith(known) ? whole.slice(known.length) : known === '' ? whole : '';
      return { chunks: callChunks(calls, id, part['toolName'], rest) };
    }
    case 'text-delta':
    case 'reasoning-delta': {
      const text = part['delta'];
      return { chunks: typeof text === 'string' && text !== '' ? [{ type: part['type'], text }] : [] };
    }
    case 'error':
      return { chunks: [], fault: { error: part['error'] } };
    case 'finish': {
      const chunks = usageChunks(part['usage']);
      const word = finishWord(part['finishReason']);
      const reason = finishReason(word) ?? 'other';
      if (reason === 'failure') return { chunks, fault: { error: undefined, word } };
      return { chunks: [...chunks, { type: 'finish', reason }] };
    }
    default:
      return { chunks: [] };
  }
}

/** Returns the next piece of a call; nothing for a piece of a call that has not begun, or that adds nothing. */
function callChunks(calls: KnownCalls, id: unknown, toolName: unknown, args: string): ChatChunk[] {
  const known = calls.get(asString(id));
  const name = asString(toolName);
  if (known === undefined && name === '') return [];
  if (known !== undefined && args === '') return [];
  const { index } = known ?? { index: calls.size };
  calls.set(asString(id), { index, args: (known?.args ?? '') + args });
  return [{ type: 'tool-call', index, id: asString(id), name, args }];
}

/** Returns the word of the SDK for the end of a reply; the word of the server where the SDK knows none. */
function finishWord(reason: unknown): string {
  const { unified, raw } = isRecord(reason) ? reason : { unified: reason };
  const isUnknown = unified === 'other' || unified === 'unknown';
  const word = isUnknown && typeof raw === 'string' ? raw : unified;
  return typeof word === 'string' ? word : 'unknown';
}

/** Returns an empty list when the model does not report usage. */
function usageChunks(value: unknown): ChatChunk[] {
  if (!isRecord(value)) return [];
  const { inputTokens: input, outputTokens: output } = value;
  const promptTokens = tokensOrNull(isRecord(input) ? input['total'] : input);
  const completionTokens = tokensOrNull(isRecord(output) ? output['total'] : output);
  if (promptTokens === null && completionTokens === null) return [];
  const cached = tokensOrNull(isRecord(input) ? input['cacheRead'] : value['cachedInputTokens']);
  return [
    {
      type: 'usage',
      promptTokens: promptTokens ?? 0,
      completionTokens: completionTokens ?? 0,
      ...defined({ cachedPromptTokens: cached ?? undefined }),
    },
  ];
}

function tokensOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
