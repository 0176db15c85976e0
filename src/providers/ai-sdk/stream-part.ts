import { defined } from '../../core/defined.js';
import { isRecord } from '../../core/json.js';
import type { ChatChunk } from '../../core/model.js';

/** Content of one stream part; empty for parts that are not used. */
export interface ReadPart {
  chunks: ChatChunk[];
  /** Set when the reply was interrupted, with the reason if one was given. */
  fault?: { error: unknown };
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
      const { finishReason } = part;
      const unified = isRecord(finishReason) ? finishReason['unified'] : finishReason;
      const chunks = usage(part['usage']);
      if (unified === 'error' || unified === 'interrupted') return { chunks, fault: { error: undefined } };
      const known = unified === 'stop' || unified === 'length' || unified === 'content-filter';
      return { chunks: [...chunks, { type: 'finish', reason: known ? unified : 'other' }] };
    }
    default:
      return { chunks: [] };
  }
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
