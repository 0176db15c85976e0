import { commands } from 'rolezero/testing';
import { EXAMPLES } from './examples.js';

/** In ms, between two pieces of 12 characters. */
const PAUSE = 20;

/**
 * A "model" that replies with the recorded replies of an example; no model is running. Each reply follows from the conversation, so a run
 * that a reload interrupted continues.
 */
export function recordedModel(example) {
  const { request, replies } = EXAMPLES[example];
  return {
    id: 'recorded',
    contextWindow: 32_000,
    async *chat({ messages, signal }) {
      const asked = messages.findLastIndex(
        ({ role, content }) => role === 'user' && content.includes(request),
      );
      const replied = messages.slice(asked).filter(({ role }) => role === 'assistant').length;
      const reply = (asked < 0 ? undefined : replies[replied]) ?? notRecorded();
      for (const text of reply.match(/[^]{1,12}/g) ?? []) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
        signal.throwIfAborted();
        yield { type: 'text-delta', text };
      }
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

function notRecorded() {
  const content = 'This is a recording, which knows one request. Choose “Your endpoint” to send others.';
  return commands(['RoleZero.reply_to_human', { content }], ['end', {}]);
}
