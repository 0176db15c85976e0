import { editor } from 'rolezero/tools';
import { RoleZero, serve, type ChatModel } from 'rolezero/worker';

/** Replies of the model by purpose, in order; the last one repeats. */
export type Replies = Partial<Record<string, readonly string[]>>;

export interface TypedConfig {
  replies: Replies;
  /** The model never replies to a call of this purpose. */
  silentAt?: string;
  policy?: { tool: string; do: 'ask' }[];
}

/** A worker whose model continues where it was, also after the worker was replaced: the conversation decides. */
serve<TypedConfig>(({ replies, silentAt, policy = [] }) => {
  const model: ChatModel = {
    id: 'typed',
    contextWindow: 100_000,
    async *chat({ purpose, messages }) {
      if (purpose === silentAt) await new Promise(() => {});
      const list = replies[purpose] ?? [purpose === 'classify' ? 'Response Category: TASK' : `${purpose}.`];
      const answers = messages.filter(({ content }) => list.includes(content as string)).length;
      const reply = list[Math.min(answers, list.length - 1)] ?? '';
      for (const text of reply.match(/[^]{1,16}/g) ?? []) yield { type: 'text-delta', text };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  return new RoleZero({ model, policy, tools: editor() });
});
