import type { Entry, Turn } from './turn.js';

/** Puts what was said in turns that leave into a text of at most so many tokens; null when that failed. */
export type Summarise = (turns: readonly Turn[], tokens: number) => Promise<string | null>;

/** What is to be made room for. */
export interface Need {
  /** Tokens that all turns and the next message may take. */
  room: number;
  /** Tokens of the message that is to be added. */
  next: number;
  maxTurns: number;
  /** Missing when nobody can. */
  summarise?: Summarise | undefined;
  /** A turn with its size. */
  sized: (turn: Omit<Turn, 'tokens'>) => Turn | Promise<Turn>;
}

export interface Compacted {
  kept: readonly Entry[];
  dropped: readonly Entry[];
  /** Of what was dropped; empty when there is none. */
  summary: string;
}

/** The newest five observations are kept when older ones are folded (spec 6.13): four exchanges and the one about to be sent. */
const UNFOLDED_TURNS = 8;
/** When folding alone brings the conversation down to this share of the room, nothing is dropped. */
const FOLDED_TO = 0.75;
/** A compaction frees this share of the room, so that the next one is many steps away and the cache is kept till then. */
const COMPACT_TO = 0.4;
/** What a summary may take of the room, and in tokens. */
const SUMMARY_SHARE = 0.1;
const MAX_SUMMARY = 600;
/** A shorter summary says too little to be worth a call, and one of little more than itself saves too little. */
const MIN_SUMMARY = 80;
const PAYS_FROM = 3;

/**
 * The ladder of architecture §6: folds old observations; when that frees too little, or there are too many turns, the oldest are
 * summed up, if that pays, and dropped. Changes nothing: gives what would stay.
 */
export async function compacted(entries: readonly Entry[], need: Need): Promise<Compacted> {
  const { room, next, maxTurns, sized } = need;
  const folded = await Promise.all(
    entries.map(async ({ number, turn }, place) =>
      turn.folded === undefined || place >= entries.length - UNFOLDED_TURNS
        ? { number, turn }
        : { number, turn: await sized(foldedTurn(turn, turn.folded)) },
    ),
  );
  const crowded = folded.length + 2 > maxTurns;
  if (!crowded && tokensOf(folded) + next <= room * FOLDED_TO)
    return { kept: folded, dropped: [], summary: '' };

  const most = Math.min(MAX_SUMMARY, Math.floor(room * SUMMARY_SHARE));
  const tokens = room * COMPACT_TO - next - (need.summarise === undefined ? 0 : most);
  const kept = newest(folded, tokens, maxTurns * COMPACT_TO);
  const dropped = folded.slice(0, folded.length - kept.length);
  const pays = most >= MIN_SUMMARY && tokensOf(dropped) >= most * PAYS_FROM;
  const summary = pays ? ((await need.summarise?.(turnsOf(dropped), most)) ?? '') : '';
  return { kept, dropped, summary };
}

export function tokensOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { turn }) => sum + turn.tokens, 0);
}

/** As many of the newest as fit. A question goes together with its reply: a conversation starts with the user. */
export function newest(entries: readonly Entry[], tokens: number, turns = Infinity): readonly Entry[] {
  let first = 0;
  let size = tokensOf(entries);
  while (first < entries.length && (size > tokens || entries.length - first > turns)) {
    size -= tokensOf(entries.slice(first, first + 2));
    first += 2;
  }
  return first === 0 ? entries : entries.slice(first);
}

function foldedTurn({ role, upTo }: Turn, content: string): Omit<Turn, 'tokens'> {
  return { role, content, ...(upTo === undefined ? {} : { upTo }) };
}

function turnsOf(entries: readonly Entry[]): Turn[] {
  return entries.map(({ turn }) => turn);
}
