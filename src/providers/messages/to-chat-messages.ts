import { RoleZeroError } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import { Message } from '../../core/message.js';
import type { ChatMessage, ContentPart } from '../../core/model.js';

/** Input for `toChatMessages`. A string becomes a user message. */
export type Sayable = string | Message | ChatMessage;

/**
 * Converts strings and stored messages to chat messages. Roles that models do not know, such as team members, become `assistant`. With
 * `images`, appends the images in `metadata.images` (URLs, or base64 of a JPEG) after the text.
 *
 * @example await collect(model.chat({ purpose: 'other', messages: toChatMessages([...memory.get(), 'Sum up.']), signal }))
 * @throws RoleZeroError `invalid` for anything else; an object must have exactly `role` and `content`.
 */
export function toChatMessages(
  input: Sayable | readonly Sayable[],
  options: { images?: boolean } = {},
): ChatMessage[] {
  const list: readonly unknown[] = Array.isArray(input) ? input : [input];
  return list.map((item) => toChatMessage(item, options.images === true));
}

function toChatMessage(item: unknown, images: boolean): ChatMessage {
  if (typeof item === 'string') return { role: 'user', content: item };
  if (item instanceof Message) return { role: roleOf(item.role), content: contentOf(item, images) };
  if (isRecord(item) && isChatContent(item['content']) && typeof item['role'] === 'string') {
    const others = Object.keys(item).filter((key) => key !== 'role' && key !== 'content');
    if (others.length === 0) return { role: roleOf(item['role']), content: item['content'] };
    throw invalid(`an object with ${others.join(', ')} beside role and content`);
  }
  throw invalid(isRecord(item) ? 'an object without role and content' : `a ${typeof item}`);
}

function contentOf({ content, metadata }: Message, images: boolean): ChatMessage['content'] {
  const list = images && Array.isArray(metadata['images']) ? metadata['images'] : [];
  const urls = list.filter((image) => typeof image === 'string').map(imageUrl);
  if (urls.length === 0) return content;
  return [{ type: 'text', text: content }, ...urls.map((url) => ({ type: 'image' as const, url }))];
}

function imageUrl(image: string): string {
  return /^(https?|data|blob):/i.test(image) ? image : `data:image/jpeg;base64,${image}`;
}

function roleOf(role: string): ChatMessage['role'] {
  const known = role.toLowerCase();
  return known === 'system' || known === 'user' ? known : 'assistant';
}

function isChatContent(content: unknown): content is string | ContentPart[] {
  return (
    typeof content === 'string' ||
    (Array.isArray(content) &&
      content.every((part) => isRecord(part) && (part['type'] === 'text' || part['type'] === 'image')))
  );
}

function invalid(what: string): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    `Cannot send ${what} to a model; use a string, a Message, or an object with role and content.`,
  );
}
