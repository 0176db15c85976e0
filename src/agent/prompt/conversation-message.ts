import { defined } from '../../core/defined.js';
import { RoleZeroError } from '../../core/error.js';
import type { ChatMessage } from '../../core/model.js';
import { turnRow } from '../../core/row-shapes.js';

/** One message of the conversation, exactly as the model read or wrote it. */
export interface Turn {
  role: 'user' | 'assistant';
  content: string;
  /** The same with folded observations, for when room is needed. */
  folded?: string;
  /** Images in it, as URLs; removed when it is folded. */
  images?: string[];
  /** Id of the newest memory message that it contains; undefined when it contains none. */
  upTo?: string;
  /** Size of `content` and `images`. */
  tokens: number;
}

/** A message of the conversation and the number that it is stored under. */
export interface Entry {
  readonly number: number;
  readonly turn: Turn;
}

/** Returns the chat message: text first, then images. */
export function chatMessage({ role, content, images = [] }: Turn): ChatMessage {
  if (images.length === 0) return { role, content };
  return {
    role,
    content: [{ type: 'text', text: content }, ...images.map((url) => ({ type: 'image' as const, url }))],
  };
}

/** Checks a stored message of the conversation. */
export function readTurn(value: unknown): Turn {
  if (turnRow(value) !== null)
    throw new RoleZeroError('storage-corrupt', 'A stored turn of the conversation cannot be read.', {});
  const { role, content, tokens, folded, images, upTo } = value as Turn;
  return {
    role,
    content,
    tokens,
    ...defined({
      folded: typeof folded === 'string' ? folded : undefined,
      images: Array.isArray(images) ? images.map(String) : undefined,
      upTo: typeof upTo === 'string' ? upTo : undefined,
    }),
  };
}
