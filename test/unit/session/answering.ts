import { commands, scriptedModel } from '../../../src/testing/index.js';

/** A role that replies with its request and ends; its replies depend on the conversation alone. */
export function answering() {
  return {
    ...scriptedModel([]),
    async *chat({ purpose, messages }: Parameters<ReturnType<typeof scriptedModel>['chat']>[0]) {
      const replies = messages.filter(({ role }) => role === 'assistant').length;
      const text =
        purpose === 'think'
          ? commands(['RoleZero.reply_to_human', { content: `reply ${replies}` }], ['end', {}])
          : purpose === 'classify'
            ? 'Response Category: TASK'
            : `${purpose}.`;
      yield { type: 'text-delta' as const, text };
      yield { type: 'finish' as const, reason: 'stop' as const };
    },
  };
}
