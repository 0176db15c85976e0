import { RoleZeroError } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import type { ChatChunk } from '../../core/model.js';

/** Optional fields that some servers reject. `max_tokens` is then sent as its successor, `max_completion_tokens`. */
export type OptionalField =
  | 'stream_options'
  | 'response_format'
  | 'temperature'
  | 'reasoning_effort'
  | 'max_tokens'
  | 'return_progress'
  | 'stream'
  | 'tool_choice'
  | 'tools'
  /** No field: a user message after results of tools, which Mistral does not accept. It becomes a part of the last result. */
  | 'user_after_tool';

/** Returns the optional field that the message of a 400 or 422 error complains about, if the request had it; else null. */
export function refusedField(complaint: string, body: Record<string, unknown>): OptionalField | null {
  const found = COMPLAINTS.find(
    ([field, words]) =>
      (field === 'user_after_tool' ? hasResults(body) : field in body) && words.test(complaint),
  );
  return found === undefined ? null : found[0];
}

function hasResults({ messages }: Record<string, unknown>): boolean {
  return (
    Array.isArray(messages) && messages.some((message) => isRecord(message) && message['role'] === 'tool')
  );
}

const COMPLAINTS: readonly (readonly [OptionalField, RegExp])[] = [
  ['user_after_tool', /role\W{1,3}user\W{1,3}after role\W{1,3}tool|roles? must alternate|alternate user/i],
  ['stream_options', /stream_options|include_usage/i],
  ['return_progress', /return_progress/i],
  ['stream', /(?:tools?|function).*stream|stream.*(?:tools?|function)/i],
  ['tool_choice', /tool_?choice|tool choice/i],
  ['response_format', /response_format|response format|json.?schema|structured outputs?|grammar/i],
  ['tools', /\btools?\b|tool.?call|function.?call|jinja/i],
  ['max_tokens', /max_completion_tokens/i],
  ['reasoning_effort', /reasoning/i],
  ['temperature', /temperature.*(not support|unsupported)|(not support|unsupported).*temperature/is],
];

/** The error of a request whose tools a server rejects: the prompt was written for them, so its author must write another one. */
export function noToolCalls({ code, message, detail }: RoleZeroError): RoleZeroError {
  return new RoleZeroError(code, message, { ...detail, rejected: 'tools' });
}

/** Returns what is emitted when a field is left out from now on. It is a warning where that changes replies. */
export function omittedField(
  field: OptionalField,
  why: 'does not take' | 'ignores' = 'does not take',
): ChatChunk {
  const then = why === 'ignores' ? 'it is left out from now on' : 'asking again without it';
  const changesReplies =
    field === 'response_format' ||
    field === 'temperature' ||
    field === 'reasoning_effort' ||
    field === 'tools';
  const what = field === 'user_after_tool' ? 'a message after results of tools' : field;
  return {
    type: 'progress',
    phase: 'waiting',
    loaded: 0,
    total: 1,
    text: `The server ${why} ${what}: ${then}.`,
    ...(changesReplies && { warning: 'model-request' }),
  };
}
