import { RoleZeroError } from '../base/error.js';
import { isRecord } from '../base/json.js';
import type { ChatMessage } from '../base/model.js';

/** One message as the model saw or wrote it, byte for byte. */
export interface Turn {
  role: 'user' | 'assistant';
  content: string;
  /** The same with its observations cut short, for when room is needed. */
  folded?: string;
  /** Pictures shown with it, as URLs; gone when it is folded. */
  images?: string[];
  /** Id of the newest message of the role's memory that it tells of; missing when it tells of none. */
  upTo?: string;
  /** Size of `content` and `images`. */
  tokens: number;
}

/** A turn and its number, by which it is stored. */
export interface Entry {
  readonly number: number;
  readonly turn: Turn;
}

/** A text, and after it its images (spec 24). */
export function chatMessage({ role, content, images = [] }: Turn): ChatMessage {
  if (images.length === 0) return { role, content };
  return {
    role,
    content: [{ type: 'text', text: content }, ...images.map((url) => ({ type: 'image' as const, url }))],
  };
}

/** Checks a stored turn. */
export function readTurn(value: unknown): Turn {
  if (
    !isRecord(value) ||
    (value['role'] !== 'user' && value['role'] !== 'assistant') ||
    typeof value['content'] !== 'string' ||
    typeof value['tokens'] !== 'number'
  ) {
    throw new RoleZeroError('storage-corrupt', 'A stored turn of the conversation cannot be read.', {});
  }
  const { role, content, tokens, folded, images, upTo } = value;
  return {
    role,
    content,
    tokens,
    ...(typeof folded === 'string' ? { folded } : {}),
    ...(Array.isArray(images) ? { images: images.map(String) } : {}),
    ...(typeof upTo === 'string' ? { upTo } : {}),
  };
}
