import { RoleZero, serve, type ChatModel } from 'rolezero/worker';

/** Replies of the model by purpose, in order; the last one repeats. */
export type Replies = Partial<Record<string, readonly string[]>>;

/** A worker whose model continues where it was, also after the worker was replaced: the conversation decides. */
serve<{ replies: Replies; silentAt?: string }>(({ replies, silentAt }) => {
  const model: ChatModel = {
    id: 'typed',
    contextWindow: 100_000,
    async *chat({ purpose, messages }) {
      if (purpose === silentAt) await new Promise(() => {});
      const list = replies[purpose] ?? [purpose === 'classify' ? 'Response Category: TASK' : `${purpose}.`];
      const said = messages.filter(({ content }) => list.includes(content as string)).length;
      yield { type: 'text-delta', text: list[Math.min(said, list.length - 1)] ?? '' };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  return new RoleZero({ model });
});
