import type { ChatMessage } from '../base/model.js';

/** What stands in the place of an image, for a model that cannot see it. */
export const IMAGE_NOTE = '[An image is left out here: this model reads text only.]';

/** A message's content as one text. */
export function textOnly(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : IMAGE_NOTE)).join('\n');
}

/** A message for a chat template. */
export interface TextMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** Messages for a chat template. Templates know one system message, the first; a later one is told as the user's. */
export function templateMessages(messages: readonly ChatMessage[]): TextMessage[] {
  return messages.map(({ role, content }, index) => ({
    role: role === 'system' && index > 0 ? 'user' : role,
    content: textOnly(content),
  }));
}
