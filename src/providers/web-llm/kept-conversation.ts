import { RoleZeroError } from '../../core/error.js';
import type { ChatMessage } from '../../core/model.js';
import { templateMessages, type TextMessage } from '../text-only.js';
import { forSystemTemplate, forTemplate } from './template-text.js';

/** Form in which a request is sent to the engine. */
export interface Plan {
  /** Messages as the caller wrote them. */
  said: TextMessage[];
  messages: TextMessage[];
  /** True when the engine already has all messages except the last in its cache. */
  continues: boolean;
}

/**
 * Tracks the conversation that the engine has in its cache.
 *
 * The engine processes a request from its first token unless the request continues that conversation by exactly one message. Earlier
 * messages must match byte for byte what was sent and what the engine wrote. This class stores those forms, because the caller's copy may
 * lack the thinking of a reply, and sent messages are escaped for templates.
 */
export class KeptConversation {
  #kept: { said: TextMessage; sent: TextMessage }[] | null = null;

  /** @throws RoleZeroError `invalid` for messages that a chat template cannot represent. */
  plan(request: readonly ChatMessage[]): Plan {
    const said = templateMessages(request);
    const last = said.at(-1);
    if (last?.role !== 'user')
      throw new RoleZeroError('invalid', 'The last message to a model in the browser must be from the user.');
    const known = this.#kept;
    if (known === null || !continues(said, known))
      return { said, messages: said.map(written), continues: false };
    return { said, messages: [...known.map(({ sent }) => sent), written(last)], continues: true };
  }

  /** Returns the same request for an engine with an empty cache. */
  anew({ said }: Plan): Plan {
    this.#kept = null;
    return { said, messages: said.map(written), continues: false };
  }

  /** Stores the conversation after a complete reply. `shown` is the text that the caller received, `raw` the text that the engine wrote. */
  keep({ said, messages }: Plan, shown: string, raw: string): void {
    const asked = said.flatMap((message, index) => {
      const sent = messages[index];
      return sent === undefined ? [] : [{ said: message, sent }];
    });
    const reply = { said: assistant(shown), sent: assistant(raw) };
    this.#kept = [...asked, reply];
  }

  /** Discards the conversation. After an abort, a length limit, or an error, the engine starts from the first token. */
  forget(): void {
    this.#kept = null;
  }
}

function continues(said: readonly TextMessage[], kept: readonly { said: TextMessage }[]): boolean {
  return (
    said.length === kept.length + 1 &&
    kept.every(({ said: { role, content } }, index) => {
      const message = said[index];
      return message?.role === role && message.content === content;
    })
  );
}

function written({ role, content }: TextMessage): TextMessage {
  return { role, content: role === 'system' ? forSystemTemplate(content) : forTemplate(content) };
}

function assistant(content: string): TextMessage {
  return { role: 'assistant', content };
}
