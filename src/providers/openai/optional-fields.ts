import type { ChatChunk } from '../../core/model.js';

/** Optional fields that some servers reject. `max_tokens` is then sent as its successor, `max_completion_tokens`. */
export type OptionalField =
  'stream_options' | 'response_format' | 'temperature' | 'max_tokens' | 'return_progress';

/** Returns the optional field that the message of a 400 or 422 error complains about, if the request had it; else null. */
export function refusedField(complaint: string, body: Record<string, unknown>): OptionalField | null {
  const found = COMPLAINTS.find(([field, words]) => field in body && words.test(complaint));
  return found === undefined ? null : found[0];
}

const COMPLAINTS: readonly (readonly [OptionalField, RegExp])[] = [
  ['stream_options', /stream_options|include_usage/i],
  ['return_progress', /return_progress/i],
  ['response_format', /response_format|response format|json.?schema|structured outputs?|grammar/i],
  ['max_tokens', /max_completion_tokens/i],
  ['temperature', /temperature.*(not support|unsupported)|(not support|unsupported).*temperature/is],
];

/** Returns what is emitted when a field is left out from now on. It is a warning where that changes replies. */
export function leftOut(field: OptionalField, why: 'does not take' | 'ignores' = 'does not take'): ChatChunk {
  const then = why === 'ignores' ? 'it is left out from now on' : 'asking again without it';
  const changesReplies = field === 'response_format' || field === 'temperature';
  return {
    type: 'progress',
    phase: 'waiting',
    loaded: 0,
    total: 1,
    text: `The server ${why} ${field}: ${then}.`,
    ...(changesReplies && { warning: 'model-request' }),
  };
}
