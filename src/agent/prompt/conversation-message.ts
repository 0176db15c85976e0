import { defined } from '../../core/defined.js';
import { RoleZeroError } from '../../core/error.js';
import type { ChatMessage, ToolCall } from '../../core/model.js';
import { turnRow } from '../../core/shape.js';
import { sections } from './template.js';

/** One message of the conversation, exactly as the model read or wrote it. */
export interface ConversationMessage {
  role: 'user' | 'assistant';
  /** The text; in the native form without calls and their results. */
  content: string;
  /** Calls in the native form, in a message of the assistant. */
  calls?: readonly ToolCall[];
  /** Results of the calls in the message before, in their order. */
  results?: readonly string[];
  /** The same with folded observations, for when room is needed. */
  folded?: string;
  /** Images in it, as URLs; removed when it is folded. */
  images?: string[];
  /** Id of the newest memory message that it contains; undefined when it contains none. */
  upTo?: string;
  /** Size of `content`, `calls`, `results`, and `images`. */
  tokens: number;
}

/** A message of the conversation and the number that it is stored under. */
export interface Entry {
  readonly number: number;
  readonly turn: ConversationMessage;
}

/** Returns the messages of entries, without their numbers. */
export function messagesOf(entries: readonly Entry[]): ConversationMessage[] {
  return entries.map(({ turn }) => turn);
}

/** The result of a call that has none in the next message: it was not run, or its result came later. */
const NO_RESULT = 'See the next message.';

/** Returns all that a model reads of a message, as text. */
export function turnText({
  content,
  calls = [],
  results = [],
}: Omit<ConversationMessage, 'tokens' | 'role'>): string {
  if (calls.length + results.length === 0) return content;
  return sections(...results, content, calls.length === 0 ? '' : callsText(calls));
}

/** Returns calls as a list of commands in text. Arguments that are no valid JSON stay as they were written. */
function callsText(calls: readonly ToolCall[]): string {
  const items = calls.map(
    ({ name, args }) => `    {"command_name": ${JSON.stringify(name)}, "args": ${args || '{}'}}`,
  );
  return `\`\`\`json\n[\n${items.join(',\n')}\n]\n\`\`\``;
}

/**
 * Returns the messages of a request. `isNative`: with calls and their results; else all of it is text, for a model without native calls.
 * Servers accept no call without a result, and no result without its call.
 */
export function chatMessages(turns: Iterable<ConversationMessage>, isNative: boolean): ChatMessage[] {
  const messages: ChatMessage[] = [];
  let open: readonly ToolCall[] = [];
  for (const turn of turns) {
    if (isNative) messages.push(...nativeMessages(turn, open));
    else messages.push(textMessage(turn));
    open = turn.calls ?? [];
  }
  return messages;
}

/** Returns one message in the native form. `open` are the calls of the message before it. */
export function nativeMessages(turn: ConversationMessage, open: readonly ToolCall[]): ChatMessage[] {
  const { content, calls, results = [] } = turn;
  if (open.length === 0) {
    const message = chatMessage(turn, sections(...results, content));
    return [calls === undefined ? message : { ...message, toolCalls: calls }];
  }
  const answers = open.map(({ id }, index): ChatMessage => ({
    role: 'tool',
    content: results[index] ?? NO_RESULT,
    toolCallId: id,
  }));
  const isEmpty = content === '' && turn.images === undefined;
  return isEmpty && results.length === open.length ? answers : [...answers, chatMessage(turn, content)];
}

/** Returns one message as text, with its calls and results. */
export function textMessage(turn: ConversationMessage): ChatMessage {
  return chatMessage(turn, turnText(turn));
}

/** Returns the chat message: text first, then images. */
function chatMessage({ role, images = [] }: ConversationMessage, content: string): ChatMessage {
  if (images.length === 0) return { role, content };
  return {
    role,
    content: [{ type: 'text', text: content }, ...images.map((url) => ({ type: 'image' as const, url }))],
  };
}

/** Checks a stored message of the conversation. */
export function readConversationMessage(value: unknown): ConversationMessage {
  if (turnRow(value) !== null)
    throw new RoleZeroError('storage-corrupt', 'A stored turn of the conversation cannot be read.', {});
  const { role, content, tokens, calls, results, folded, images, upTo } = value as ConversationMessage;
  return {
    role,
    content,
    tokens,
    ...defined({
      calls,
      results,
      folded: typeof folded === 'string' ? folded : undefined,
      images: Array.isArray(images) ? images.map(String) : undefined,
      upTo: typeof upTo === 'string' ? upTo : undefined,
    }),
  };
}
