import { RoleZero, serve, type ChatMessage } from 'rolezero/worker';
import { commands } from 'rolezero/testing';

/** Options of this worker. */
export interface AttachedConfig {
  /** The model sees images. */
  images: boolean;
}

/** Describes what the model received last: the text, and type and length of each image. */
function received(messages: readonly ChatMessage[]): string {
  const content = messages.at(-1)?.content ?? '';
  if (typeof content === 'string') return content;
  return content
    .map((part) => (part.type === 'text' ? part.text : `[${part.url.slice(0, part.url.indexOf(';'))}]`))
    .join('\n');
}

serve<AttachedConfig>(
  ({ images }) =>
    new RoleZero({
      language: 'English',
      model: {
        id: 'repeats what it receives',
        contextWindow: 100_000,
        supports: { images },
        async *chat({ messages }) {
          const text = commands(['RoleZero.reply_to_human', { content: received(messages) }], ['end', {}]);
          yield { type: 'text-delta', text };
          yield { type: 'finish', reason: 'stop' };
        },
      },
    }),
);
