import type { ChatMessage } from '../core/model.js';

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
