import { expect, it } from 'vitest';
import { finishReason } from '../../../src/core/finish-reason.js';

it.each([
  [
    'stop',
    'stop STOP stopped eos eos_token end_turn stop_sequence tool_calls tool-calls tool_use function_call COMPLETE completed done FINISH_REASON_STOP',
  ],
  [
    'length',
    'length max_tokens MAX_TOKENS maxTokens model_length max_new_tokens token_limit context_length_exceeded model_context_window_exceeded',
  ],
  [
    'content-filter',
    'content_filter content-filter content_filtered SAFETY sensitive RECITATION BLOCKLIST PROHIBITED_CONTENT SPII refusal guardrail_intervened',
  ],
  [
    'failure',
    'error ERROR abort aborted cancelled canceled USER_CANCEL interrupted incomplete failed timeout time_limit rate_limit network_error overloaded unload disconnected insufficient_system_resource MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL',
  ],
  ['other', 'other unknown gave_up pause_turn'],
  [null, 'null none undefined not_finished FINISH_REASON_UNSPECIFIED'],
])('reads as %s: %s', (reason, words) => {
  const read = words.split(' ').map((word) => [word, finishReason(word)]);
  expect(read).toEqual(words.split(' ').map((word) => [word, reason]));
});

it.each([undefined, null, '', ' ', 7, true, {}])('reads %j as no end', (value) => {
  expect(finishReason(value)).toBeNull();
});
