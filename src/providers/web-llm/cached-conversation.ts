import { RoleZeroError } from '../../core/error.js';
import type { ChatMessage } from '../../core/model.js';
import { templateMessages, type TextMessage } from '../chat-messages.js';

/** Form in which a request is sent to the engine. */
export interface EnginePrompt {
  /** Messages as the caller wrote them. */
  original: TextMessage[];
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
export class CachedConversation {
  #cached: { original: TextMessage; sent: TextMessage }[] | null = null;

  /** @throws RoleZeroError `invalid` for messages that a chat template cannot represent. */
  plan(request: readonly ChatMessage[]): EnginePrompt {
    const original = templateMessages(request);
    const last = original.at(-1);
    if (last?.role !== 'user')
      throw new RoleZeroError('invalid', 'The last message to a model in the browser must be from the user.');
    const known = this.#cached;
    if (known === null || !continuesByOneMessage(original, known))
      return { original, messages: original.map(written), continues: false };
    return { original, messages: [...known.map(({ sent }) => sent), written(last)], continues: true };
  }

  /** Returns the same request for an engine with an empty cache. */
  restart({ original }: EnginePrompt): EnginePrompt {
    this.#cached = null;
    return { original, messages: original.map(written), continues: false };
  }

  /** Stores the conversation after a complete reply. `shown` is the text that the caller received, `raw` the text that the engine wrote. */
  keep({ original, messages }: EnginePrompt, shown: string, raw: string): void {
    const asked = original.flatMap((message, index) => {
      const sent = messages[index];
      return sent === undefined ? [] : [{ original: message, sent }];
    });
    const reply = { original: assistant(shown), sent: assistant(raw) };
    this.#cached = [...asked, reply];
  }

  /** Discards the conversation. After an abort, a length limit, or an error, the engine starts from the first token. */
  forget(): void {
    this.#cached = null;
  }
}

function continuesByOneMessage(
  original: readonly TextMessage[],
  cached: readonly { original: TextMessage }[],
): boolean {
  return (
    original.length === cached.length + 1 &&
    cached.every(({ original: { role, content } }, index) => {
      const message = original[index];
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

/**
 * Escapes text for web-llm's chat templates, which are filled with `String.replace`. Without this, `$$`, `$&`, `` $` ``, and `$'` in a
 * message would be replacement patterns, and the first `{function_string}` would be replaced with nothing.
 */
export function forTemplate(text: string): string {
  return text.replaceAll('$', '$$$$').replace(FUNCTIONS, `${FUNCTIONS}${FUNCTIONS}`);
}

const FUNCTIONS = '{function_string}';

/** Escapes a system prompt. Its template is separate and has no `{function_string}`. */
export function forSystemTemplate(text: string): string {
  return text.replaceAll('$', '$$$$');
}
