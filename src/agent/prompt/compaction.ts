import { defined } from '../../core/defined.js';
import { messagesOf, type ConversationMessage, type Entry } from './conversation-message.js';

/** Summarizes removed messages in at most `tokens` tokens; null when that failed. */
export type Summarize = (turns: readonly ConversationMessage[], tokens: number) => Promise<string | null>;

/** What a compaction has to make room for. */
export interface Need {
  /** Tokens of all messages, including the next one, at which the conversation is compacted. */
  room: number;
  /** Tokens of the next message. */
  next: number;
  maxTurns: number;
  /** Undefined when there is no model to summarize. */
  summarize?: Summarize | undefined;
  /** Adds its size to a message. */
  sized: (turn: Omit<ConversationMessage, 'tokens'>) => ConversationMessage | Promise<ConversationMessage>;
}

export interface Compacted {
  recent: readonly Entry[];
  dropped: readonly Entry[];
  /** Summary of the dropped messages; may be empty. */
  summary: string;
}

/** Newest messages that are never folded: four exchanges. With the next message these are five observations. */
const UNFOLDED_TURNS = 8;
/** When folding alone reduces the conversation to this share of the room, nothing is dropped. */
const FOLDED_TO = 0.75;
/** Share of the room that is left after a compaction. It is low, so the next one is many steps away and the prefix cache lasts. */
const COMPACT_TO = 0.4;
/** Share of the room for a summary, and its maximum in tokens. */
const SUMMARY_SHARE = 0.1;
const MAX_SUMMARY = 600;
/** Minimum tokens of a summary, and how many times larger the removed messages must be. Less is not worth a model call. */
const MIN_SUMMARY = 80;
const PAYS_FROM = 3;

/**
 * Folds old observations. When that frees too little, or there are too many messages, the oldest are summarized, if that pays, and
 * dropped. Returns the remaining messages without changing anything.
 */
export async function compacted(entries: readonly Entry[], need: Need): Promise<Compacted> {
  const { room, next, maxTurns, sized } = need;
  const folded = await Promise.all(
    entries.map(async ({ number, turn }, place) =>
      turn.folded === undefined || place >= entries.length - UNFOLDED_TURNS
        ? { number, turn }
        : { number, turn: await sized(foldedMessage(turn, turn.folded)) },
    ),
  );
  const crowded = folded.length + 2 > maxTurns;
  if (!crowded && tokensOf(folded) + next <= room * FOLDED_TO)
    return { recent: folded, dropped: [], summary: '' };

  const most = Math.min(MAX_SUMMARY, Math.floor(room * SUMMARY_SHARE));
  const tokens = room * COMPACT_TO - next - (need.summarize === undefined ? 0 : most);
  const recent = newest(folded, tokens, maxTurns * COMPACT_TO);
  const dropped = folded.slice(0, folded.length - recent.length);
  const pays = most >= MIN_SUMMARY && tokensOf(dropped) >= most * PAYS_FROM;
  const summary = pays ? ((await need.summarize?.(messagesOf(dropped), most)) ?? '') : '';
  return { recent, dropped, summary };
}

export function tokensOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { turn }) => sum + turn.tokens, 0);
}

/** Returns the newest messages that fit. A question stays with its reply, so the conversation starts with the user. */
export function newest(entries: readonly Entry[], tokens: number, turns = Infinity): readonly Entry[] {
  let first = 0;
  let size = tokensOf(entries);
  while (first < entries.length && (size > tokens || entries.length - first > turns)) {
    size -= tokensOf(entries.slice(first, first + 2));
    first += 2;
  }
  return first === 0 ? entries : entries.slice(first);
}

function foldedMessage(
  { role, upTo }: ConversationMessage,
  content: string,
): Omit<ConversationMessage, 'tokens'> {
  return { role, content, ...defined({ upTo }) };
}
