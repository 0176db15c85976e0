import { estimateTokenCount } from 'tokenx';
import { RoleZeroError } from '../base/error.js';
import { isRecord } from '../base/json.js';
import type { ChatMessage, ChatModel } from '../base/model.js';
import { fingerprint } from '../base/fingerprint.js';

/** One message as the model saw or wrote it, byte for byte. */
export interface Turn {
  role: 'user' | 'assistant';
  content: string;
  /** The same with its observations cut short, for when room is needed. */
  folded?: string;
  /** Pictures shown with it, as URLs; gone when it is folded. */
  images?: string[];
  /** Size of `content` and `images`. */
  tokens: number;
}

/** What happens to the stored rows: turns are appended, and at compaction points rewritten or removed. */
export interface TurnRows {
  put(number: number, turn: Turn): void;
  remove(number: number): void;
}

/** A message about to be sent; `compose` is asked again with `fresh: true` after a compaction, to say everything anew. */
export type Compose = (fresh: boolean) => Pick<Turn, 'content' | 'folded' | 'images'>;

/** The newest five observations are kept when older ones are folded (spec 6.13): four exchanges and the one about to be sent. */
const UNFOLDED_TURNS = 8;
/** When folding alone brings the conversation down to this share of the room, nothing is dropped. */
const FOLDED_TO = 0.8;
/** A compaction frees this share of the window, so that the next one is many steps away and the cache is kept till then. */
const COMPACT_TO = 0.6;
/** What an image takes at most where its model does not say. */
const TOKENS_OF_IMAGE = 1_600;
/** Chat templates add a few tokens around each message. */
const TOKENS_AROUND = 6;
const LEFT_OUT = 'Earlier parts of this conversation were left out to save room.';

/**
 * The conversation with the model. It only grows at its end, so an engine that caches its prefix never reads a turn twice; it is
 * rewritten at compaction points only, when the window would overflow or more than `maxTurns` turns stand (architecture §6).
 */
export class Conversation {
  #turns: { number: number; turn: Turn }[] = [];
  #next = 0;
  #tokens = 0;
  /** Of all turns; null after one was rewritten. */
  #fingerprint: string | null = '';

  constructor(
    private readonly model: () => ChatModel,
    private readonly rows: TurnRows,
    private readonly maxTurns: number,
  ) {}

  /** Continues with turns that were stored. */
  restore(rows: readonly { number: number; turn: Turn }[]): void {
    this.#turns = [...rows];
    this.#next = (rows.at(-1)?.number ?? -1) + 1;
    this.#tokens = rows.reduce((sum, row) => sum + row.turn.tokens, 0);
    this.#fingerprint = null;
  }

  get length(): number {
    return this.#turns.length;
  }

  /**
   * The request that follows with one more message from the user, sure to leave `reserve` tokens for the reply.
   * @throws RoleZeroError `context-overflow` when even system prompt and message alone do not fit.
   */
  async request(
    system: string,
    compose: Compose,
    reserve: number,
  ): Promise<{ messages: ChatMessage[]; turn: Turn; hash: string }> {
    const room = this.model().contextWindow - reserve - (await this.count(system)) - TOKENS_AROUND;
    let turn = await this.turn(compose(false));
    if (this.#tokens + turn.tokens > room || this.#turns.length + 2 > this.maxTurns) {
      await this.compact(room, turn.tokens);
      const { content, folded, images } = compose(true);
      turn = await this.turn({
        content: `${LEFT_OUT}\n\n${content}`,
        ...(folded === undefined ? {} : { folded: `${LEFT_OUT}\n\n${folded}` }),
        ...(images === undefined ? {} : { images }),
      });
      while (this.#turns.length > 0 && this.#tokens + turn.tokens > room) this.dropOldest();
      if (turn.tokens > room) turn = await this.shortened(turn, room, system);
    }
    const messages: ChatMessage[] = [
      { role: 'system', content: system },
      ...this.#turns.map((entry) => chatMessage(entry.turn)),
      chatMessage(turn),
    ];
    return { messages, turn, hash: fingerprint(turn.content, fingerprint(system, this.fingerprint())) };
  }

  /**
   * A question of its own, without its middle if it must be, so that it leaves `reserve` tokens for the reply.
   * @throws RoleZeroError `context-overflow` when the system prompt leaves no room for it.
   */
  async fitting(content: string, system: string, reserve: number): Promise<string> {
    const room = this.model().contextWindow - reserve - (await this.count(system)) - TOKENS_AROUND;
    const turn = await this.turn({ content });
    return turn.tokens <= room ? content : (await this.shortened(turn, room, system)).content;
  }

  /** Keeps a question and its reply exactly as they were exchanged. */
  async append(question: Turn, reply: string): Promise<void> {
    this.push(question);
    this.push({ role: 'assistant', content: reply, tokens: (await this.count(reply)) + TOKENS_AROUND });
  }

  /** Tokens of a text: the model's own count, else an estimate that errs high. */
  async count(text: string): Promise<number> {
    const model = this.model();
    return model.countTokens === undefined
      ? Math.ceil(estimateTokenCount(text) * 1.15)
      : model.countTokens(text);
  }

  private async turn(composed: ReturnType<Compose>): Promise<Turn> {
    const images = composed.images ?? [];
    const tokens = (await this.count(composed.content)) + TOKENS_AROUND + images.length * TOKENS_OF_IMAGE;
    return { role: 'user', ...composed, tokens };
  }

  private push(turn: Turn): void {
    const number = this.#next++;
    this.#fingerprint = fingerprint(turn.content, this.fingerprint());
    this.#turns.push({ number, turn });
    this.#tokens += turn.tokens;
    this.rows.put(number, turn);
  }

  private fingerprint(): string {
    this.#fingerprint ??= this.#turns.reduce((hash, { turn }) => fingerprint(turn.content, hash), '');
    return this.#fingerprint;
  }

  /** Folds old observations; when that frees too little, or there are too many turns, drops the oldest. `next` is what is to be added. */
  private async compact(room: number, next: number): Promise<void> {
    for (const entry of this.#turns.slice(0, -UNFOLDED_TURNS)) {
      if (entry.turn.folded === undefined) continue;
      const folded = await this.turn({ content: entry.turn.folded });
      this.#tokens += folded.tokens - entry.turn.tokens;
      entry.turn = folded;
      this.#fingerprint = null;
      this.rows.put(entry.number, folded);
    }
    const crowded = this.#turns.length + 2 > this.maxTurns;
    if (!crowded && this.#tokens + next <= room * FOLDED_TO) return;
    const tokens = room * COMPACT_TO - next;
    const turns = this.maxTurns * COMPACT_TO;
    while (this.#turns.length > 0 && (this.#tokens > tokens || this.#turns.length > turns)) this.dropOldest();
  }

  /** A question goes together with its reply: a conversation starts with the user. */
  private dropOldest(): void {
    this.#fingerprint = null;
    for (const { number, turn } of this.#turns.splice(0, 2)) {
      this.#tokens -= turn.tokens;
      this.rows.remove(number);
    }
  }

  /** The beginning and the end of a message that is too long alone. */
  private async shortened(turn: Turn, room: number, system: string): Promise<Turn> {
    let share = room / turn.tokens;
    for (let attempt = 0; attempt < 8 && room > 64; attempt++) {
      share *= 0.85;
      const cut = await this.turn({
        content: headAndTail(turn.content, Math.floor(turn.content.length * share)),
      });
      if (cut.tokens <= room) return cut;
    }
    const window = this.model().contextWindow;
    throw new RoleZeroError(
      'context-overflow',
      `The prompt does not fit the model's window of ${window} tokens: its fixed part alone takes about ${await this.count(system)}. Use a model with a larger window, or give the role fewer tools.`,
      { contextWindow: window },
    );
  }
}

/** The first two thirds and the last third of what may stay, with a note between. */
export function headAndTail(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = Math.ceil((length * 2) / 3);
  const tail = Math.max(0, length - head);
  const left = text.length - head - tail;
  return `${text.slice(0, head)}\n… ${left} characters left out here …\n${tail === 0 ? '' : text.slice(-tail)}`;
}

/** A text, and after it its images (spec 24). */
function chatMessage({ role, content, images = [] }: Turn): ChatMessage {
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
  const { role, content, tokens, folded, images } = value;
  return {
    role,
    content,
    tokens,
    ...(typeof folded === 'string' ? { folded } : {}),
    ...(Array.isArray(images) ? { images: images.map(String) } : {}),
  };
}
