import { RoleZeroError } from '../../base/error.js';
import type { ChatMessage } from '../../base/model.js';
import { templateMessages, type TextMessage } from '../text-only.js';
import { forSystemTemplate, forTemplate } from './template-text.js';

/** What a request is sent as. */
export interface Plan {
  /** As the caller wrote them. */
  said: TextMessage[];
  messages: TextMessage[];
  /** True when the engine has read and written all of it before but the last message. */
  continues: boolean;
}

/**
 * What the engine still holds of the conversation before. It reads a request anew from its first token unless that is this conversation,
 * byte for byte as it was sent and as the engine itself wrote its replies, and exactly one message more. So the forms in which messages
 * were sent are remembered: what a caller knows of a reply may lack its thinking, and what was sent was written for templates.
 */
export class KeptConversation {
  #kept: { said: TextMessage; sent: TextMessage }[] | null = null;

  /** @throws RoleZeroError `invalid` for messages no chat template can hold. */
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

  /** The same request for an engine that holds nothing. */
  anew({ said }: Plan): Plan {
    this.#kept = null;
    return { said, messages: said.map(written), continues: false };
  }

  /** After a reply that came to its own end: `shown` is what the caller got, `raw` what the engine wrote. */
  keep({ said, messages }: Plan, shown: string, raw: string): void {
    const asked = said.flatMap((message, index) => {
      const sent = messages[index];
      return sent === undefined ? [] : [{ said: message, sent }];
    });
    const reply = { said: assistant(shown), sent: assistant(raw) };
    this.#kept = [...asked, reply];
  }

  /** After a stop, a length limit or an error the engine starts anew. */
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
