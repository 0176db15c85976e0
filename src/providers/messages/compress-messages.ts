import { estimateTokens } from '../../base/token-estimate.js';
import type { ChatMessage } from '../../base/model.js';

/** Which end is cut off, the old (`post_cut` keeps the newest) or the new; and whether in whole messages. Empty: nothing is. */
export type CompressType =
  '' | 'post_cut_by_token' | 'post_cut_by_msg' | 'pre_cut_by_token' | 'pre_cut_by_msg';

export interface CompressOptions {
  type?: CompressType;
  /** The model's window; default 128,000. */
  maxTokens?: number;
  /** The share of it that messages may take; default 0.8. */
  threshold?: number;
  /** Default: an estimate that errs high. */
  countTokens?: (text: string) => number;
}

/** What an image takes at most where its model does not say. */
const TOKENS_OF_IMAGE = 1_600;

/**
 * As many messages as fit, in their order (spec 24). System messages at the beginning are always kept, and of the others at least a
 * piece of one. `…_by_token` keeps a piece of the message that does not fit whole; a piece is text, its images are left out. Messages
 * that fit, and system messages alone, come back as they are.
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
  const tokens = (message: ChatMessage) => tokensOf(message, countTokens);
  let room = Math.floor(maxTokens * threshold) - system.reduce((sum, message) => sum + tokens(message), 0);
  const kept: ChatMessage[] = [];
  for (const message of others) {
    const size = tokens(message);
    if (size > room) {
      if (kept.length === 0 || (type.endsWith('_by_token') && room > 0))
        kept.push({ role: message.role, content: piece(textOf(message), room, newest, countTokens) });
      break;
    }
    kept.push(message);
    room -= size;
  }
  return [...system, ...(newest ? kept.toReversed() : kept)];
}

/** The longest end or beginning of a text that fits, never less than a character. */
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

function tokensOf({ content }: ChatMessage, countTokens: (text: string) => number): number {
  if (typeof content === 'string') return countTokens(content);
  return content.reduce(
    (sum, part) => sum + (part.type === 'text' ? countTokens(part.text) : TOKENS_OF_IMAGE),
    0,
  );
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function estimate(text: string): number {
  return Math.ceil(estimateTokens(text) * 1.15);
}
