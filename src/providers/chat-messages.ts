import type { ChatMessage } from '../core/model.js';
import { isRecord } from '../core/json.js';

/** Replaces an image for a model without image support. */
export const IMAGE_NOTE = '[An image is left out here: this model reads text only.]';

/** Returns the content of a message as one string. */
export function textOnly(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : IMAGE_NOTE)).join('\n');
}

/** Message for a chat template. */
export interface TextMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/**
 * Converts messages for a chat template. Templates support one system message at the start; later ones become user messages, as do results
 * of tools.
 */
export function templateMessages(messages: readonly ChatMessage[]): TextMessage[] {
  return messages.map(({ role, content }, index) => ({
    role: role === 'tool' || (role === 'system' && index > 0) ? 'user' : role,
    content: textOnly(content),
  }));
}

/** Returns the arguments of a call that a model wrote before. Those of a call that was cut off are no JSON, which servers reject: it is in a text. */
export function callArguments(args: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(args === '' ? '{}' : args);
    return isRecord(value) ? value : { arguments: value };
  } catch {
    return { incomplete: args };
  }
}
