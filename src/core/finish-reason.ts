import type { ChatChunk } from './model.js';

export type FinishReason = Extract<ChatChunk, { type: 'finish' }>['reason'];

/**
 * What servers and engines call the end of a reply. Only a word of `stop` proves that the reply is whole. After a word of `failure`, it is not,
 * and a retry may help. A word of `none` marks no end.
 */
const WORDS = {
  stop: 'stop stopped stop_sequence stop_token eos eos_token end end_turn end_of_turn done complete completed finish finished success tool_call tool_calls tool_use function_call function_calls',
  length:
    'length max_length max_token max_tokens max_new_tokens max_output_tokens max_context_length model_length token_limit limit context_length context_window context_length_exceeded model_context_window_exceeded',
  'content-filter':
    'content_filter content_filtered content_blocked safety image_safety sensitive recitation blocklist prohibited_content spii language refusal guardrail_intervened error_toxic',
  failure:
    'error abort aborted cancel canceled cancelled user_cancel interrupted incomplete failed failure fail timeout time_limit rate_limit network_error server_error internal_error error_limit overloaded disconnected unload insufficient_system_resource malformed_function_call unexpected_tool_call',
  none: 'null none undefined unspecified not_finished in_progress',
} as const;

/** Returns what a word for the end of a reply means, whatever its case and separators; `other` for an unknown one, null for no end. */
export function finishReason(word: unknown): FinishReason | 'failure' | null {
  if (typeof word !== 'string' || word.trim() === '') return null;
  const plain = word
    .trim()
    .toLowerCase()
    .replace(/[\s-]/g, '_')
    .replace(/^finish_reason_/, '');
  for (const reason of ['stop', 'length', 'content-filter', 'failure', 'none'] as const)
    if (WORDS[reason].split(' ').includes(plain)) return reason === 'none' ? null : reason;
  return 'other';
}
