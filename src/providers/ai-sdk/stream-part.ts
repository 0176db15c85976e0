import { defined } from '../../core/defined.js';
import { finishReason } from '../../core/finish-reason.js';
import { isRecord } from '../../core/json.js';
import type { ChatChunk } from '../../core/model.js';

/** Content of one stream part; empty for parts that are not used. */
export interface ReadPart {
  chunks: ChatChunk[];
  /** Set when the reply was interrupted, with the reason and the word for its end if they were given. */
  fault?: { error: unknown; word?: string };
}

/** Reads a stream part of version 2, 3, or 4. The versions differ in the final parts. */
export function readPart(part: unknown): ReadPart {
  if (!isRecord(part)) return { chunks: [] };
  switch (part['type']) {
    case 'text-delta':
    case 'reasoning-delta': {
      const text = part['delta'];
      return { chunks: typeof text === 'string' && text !== '' ? [{ type: part['type'], text }] : [] };
    }
    case 'error':
      return { chunks: [], fault: { error: part['error'] } };
    case 'finish': {
      const chunks = usage(part['usage']);
      const word = endOf(part['finishReason']);
      const reason = finishReason(word) ?? 'other';
      if (reason === 'failure') return { chunks, fault: { error: undefined, word } };
      return { chunks: [...chunks, { type: 'finish', reason }] };
    }
    default:
      return { chunks: [] };
  }
}

/** Returns the word of the SDK for the end of a reply; the word of the server where the SDK knows none. */
function endOf(reason: unknown): string {
  const { unified, raw } = isRecord(reason) ? reason : { unified: reason };
  const isUnknown = unified === 'other' || unified === 'unknown';
  const word = isUnknown && typeof raw === 'string' ? raw : unified;
  return typeof word === 'string' ? word : 'unknown';
}

/** Returns an empty list when the model does not report usage. */
function usage(value: unknown): ChatChunk[] {
  if (!isRecord(value)) return [];
  const { inputTokens: input, outputTokens: output } = value;
  const promptTokens = count(isRecord(input) ? input['total'] : input);
  const completionTokens = count(isRecord(output) ? output['total'] : output);
  if (promptTokens === null && completionTokens === null) return [];
  const cached = count(isRecord(input) ? input['cacheRead'] : value['cachedInputTokens']);
  return [
    {
      type: 'usage',
      promptTokens: promptTokens ?? 0,
      completionTokens: completionTokens ?? 0,
      ...defined({ cachedPromptTokens: cached ?? undefined }),
    },
  ];
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
