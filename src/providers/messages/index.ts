import { RoleZeroError } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import { Message } from '../../core/message.js';
import type { ChatMessage, ContentPart } from '../../core/model.js';
import { estimateTokens } from '../../core/token-estimate.js';

/**
 * Selects the messages to remove: `post_cut` retains the newest, `pre_cut` the oldest. `_by_token` also truncates a message, `_by_msg`
 * removes whole messages. An empty string removes nothing.
 */
type CompressType = '' | 'post_cut_by_token' | 'post_cut_by_msg' | 'pre_cut_by_token' | 'pre_cut_by_msg';

interface CompressOptions {
  type?: CompressType;
  /**
   * Context window of the model in tokens.
   * @default 128_000
   */
  maxTokens?: number;
  /**
   * Share of the window that messages may use.
   * @default 0.8
   */
  threshold?: number;
  /** Counts tokens. By default, an estimate that errs on the high side. */
  countTokens?: (text: string) => number;
}

/** Maximum number of tokens of an image, used for every image. */
const TOKENS_PER_IMAGE = 1_600;

/**
 * Returns the messages that fit into the window, in their order. Always retains leading system messages, and at least a part of one other
 * message.
 *
 * `…_by_token` truncates the message that does not fit completely; a truncated message is text without its images. Returns the messages
 * unchanged when all fit or when all are system messages.
 */
export function compressMessages(
  messages: readonly ChatMessage[],
  options: CompressOptions = {},
): ChatMessage[] {
  const { type = '', maxTokens = 128_000, threshold = 0.8, countTokens = estimate } = options;
  if (type === '') return [...messages];
  const first = messages.findIndex(({ role }) => role !== 'system');
  if (first < 0) return [...messages];
  const newest = type.startsWith('post_cut');
  const system = messages.slice(0, first);
  const others = newest ? messages.slice(first).toReversed() : messages.slice(first);
  const tokens = (message: ChatMessage) => messageTokens(message, countTokens);
  let room = Math.floor(maxTokens * threshold) - system.reduce((sum, message) => sum + tokens(message), 0);
  const compressed: ChatMessage[] = [];
  for (const message of others) {
    const size = tokens(message);
    if (size > room) {
      if (compressed.length === 0 || (type.endsWith('_by_token') && room > 0))
        compressed.push({
          role: message.role,
          content: piece(messageText(message), room, newest, countTokens),
        });
      break;
    }
    compressed.push(message);
    room -= size;
  }
  return [...system, ...(newest ? compressed.toReversed() : compressed)];
}

/** Returns the longest end or beginning of a text that fits, at least one character. */
function piece(text: string, room: number, end: boolean, countTokens: (text: string) => number): string {
  const cut = (length: number) => (end ? text.slice(text.length - length) : text.slice(0, length));
  let fits = 1;
  let tooLong = text.length + 1;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (countTokens(cut(middle)) <= room) fits = middle;
    else tooLong = middle;
  }
  return cut(fits);
}

function messageTokens({ content }: ChatMessage, countTokens: (text: string) => number): number {
  if (typeof content === 'string') return countTokens(content);
  return content.reduce(
    (sum, part) => sum + (part.type === 'text' ? countTokens(part.text) : TOKENS_PER_IMAGE),
    0,
  );
}

function messageText({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function estimate(text: string): number {
  return Math.ceil(estimateTokens(text) * 1.15);
}

/** Input for `toChatMessages`. A string becomes a user message. */
type Sayable = string | Message | ChatMessage;

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
  if (item instanceof Message) return { role: chatRole(item.role), content: chatContent(item, images) };
  if (isRecord(item) && isChatContent(item['content']) && typeof item['role'] === 'string') {
    const others = Object.keys(item).filter((key) => key !== 'role' && key !== 'content');
    if (others.length === 0) return { role: chatRole(item['role']), content: item['content'] };
    throw notSendable(`an object with ${others.join(', ')} beside role and content`);
  }
  throw notSendable(isRecord(item) ? 'an object without role and content' : `a ${typeof item}`);
}

function chatContent({ content, metadata }: Message, images: boolean): ChatMessage['content'] {
  const list = images && Array.isArray(metadata['images']) ? metadata['images'] : [];
  const urls = list.filter((image) => typeof image === 'string').map(imageUrl);
  if (urls.length === 0) return content;
  return [{ type: 'text', text: content }, ...urls.map((url) => ({ type: 'image' as const, url }))];
}

function imageUrl(image: string): string {
  return /^(https?|data|blob):/i.test(image) ? image : `data:image/jpeg;base64,${image}`;
}

function chatRole(role: string): ChatMessage['role'] {
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

function notSendable(what: string): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    `Cannot send ${what} to a model; use a string, a Message, or an object with role and content.`,
  );
}
