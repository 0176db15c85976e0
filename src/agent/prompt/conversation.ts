import { defined } from '../../core/defined.js';
import { RoleZeroError } from '../../core/error.js';
import type { ChatMessage, ChatModel, ToolSpec } from '../../core/model.js';
import { fingerprint } from '../../core/fingerprint.js';
import { compacted, newest, tokensOf, type Summarize } from './compaction.js';
import { TokenCounter } from './token-count.js';
import {
  chatMessages,
  messagesOf,
  nativeMessages,
  textMessage,
  turnText,
  type Entry,
  type ConversationMessage,
} from './conversation-message.js';

/** Stores the rows of a conversation: messages are appended, and rewritten or removed by a compaction. */
export interface TurnRows {
  put(number: number, turn: ConversationMessage): void;
  remove(number: number): void;
  /** Called before a stored message is removed or put again, with the number of the next one. */
  replaced?(number: number, turn: ConversationMessage, next: number): void;
}

/** What every request of a conversation begins with. */
export interface Beginning {
  system: string;
  /** Set when calls are native: then the messages contain calls and their results, else their text. */
  tools?: readonly ToolSpec[] | undefined;
}

/** When a conversation is compacted. */
export interface CompactionLimits {
  /** Share of the model's window, between 0 and 1. */
  compactAt: number;
  /** Number of messages; Infinity for no limit. */
  maxTurns: number;
}

/** The next message. `compose` is called again with `fresh: true` after a compaction, to repeat everything that was lost. */
export type Compose = (
  fresh: boolean,
) => Pick<ConversationMessage, 'content' | 'results' | 'folded' | 'images' | 'upTo'>;

/** A request, and what the conversation becomes when its reply has arrived. */
export interface Draft {
  messages: ChatMessage[];
  turn: ConversationMessage;
  /** Equal for equal prompts. */
  hash: string;
  /** Counted tokens of all messages. */
  tokens: number;
  /** The messages before it. */
  entries: readonly Entry[];
  /** Id of the newest memory message that is no longer in the prompt after this compaction; null without one. */
  left: string | null;
}

/** Tokens of an image, when the model does not state them. */
const TOKENS_OF_IMAGE = 1_600;
/** Chat templates add a few tokens around each message. */
const TOKENS_AROUND = 6;
const LEFT_OUT = 'Earlier parts of this conversation were left out to save room.';
const SUMMED_UP = `${LEFT_OUT} Your notes on them:`;

/**
 * The conversation with the model. It only grows at its end, so an engine that caches the prefix reads each message once. It is rewritten
 * only by a compaction, when a share of the window is full or there are too many messages. Only `append` changes it: a request without a
 * reply leaves no trace.
 */
export class Conversation {
  readonly #model: () => ChatModel;
  readonly #rows: TurnRows;
  readonly #limits: CompactionLimits;
  /** Grows in place; a compaction replaces it. */
  #entries: Entry[] = [];
  #next = 0;
  /** Hash of all messages; null after one was rewritten. */
  #fingerprint: string | null = '';
  /** Tokens of all messages; null in the same case. */
  #tokens: number | null = 0;
  /** Chat messages for the model, in one of the two forms; null in the same case. */
  #messages: { list: ChatMessage[]; isNative: boolean } | null = null;
  /** Text and hash of the last beginning. */
  #fixed: (Beginning & { text: string; fingerprint: string }) | null = null;
  readonly #counter: TokenCounter;
  /** Scale that the messages were counted with; NaN when another model may have counted them. */
  #countedWith = 1;

  constructor(model: () => ChatModel, rows: TurnRows, limits: CompactionLimits) {
    this.#model = model;
    this.#rows = rows;
    this.#limits = limits;
    this.#counter = new TokenCounter(model);
  }

  /** Restores stored messages. */
  restore(rows: readonly Entry[]): void {
    this.#entries = [...rows];
    this.#next = (rows.at(-1)?.number ?? -1) + 1;
    this.#fingerprint = null;
    this.#tokens = null;
    this.#messages = null;
    this.#countedWith = NaN;
  }

  get length(): number {
    return this.#entries.length;
  }

  /**
   * Returns the request with one more user message. It leaves at least `reserve` tokens for the reply.
   *
   * @throws RoleZeroError `context-overflow` when even system prompt and message alone do not fit.
   */
  async request(
    beginning: Beginning,
    compose: Compose,
    reserve: number,
    summarize?: Summarize,
  ): Promise<Draft> {
    const begun = this.#begun(beginning);
    const counted = this.#counter.countFixed(begun.text); // most need not wait
    const fixed = (typeof counted === 'number' ? counted : await counted) + TOKENS_AROUND;
    const { contextWindow } = this.#model();
    const { compactAt, maxTurns } = this.#limits;
    const room = contextWindow - reserve - fixed;
    const full = Math.min(room, Math.max(room / 2, contextWindow * compactAt - fixed));
    if (this.#countedWith !== this.#counter.scale) await this.#recount();
    let entries: readonly Entry[] = this.#entries;
    const sized = this.#turn(compose(false));
    let turn = sized instanceof Promise ? await sized : sized;
    let left: string | null = null;
    let tokens = this.#allTokens();
    if (tokens + turn.tokens > full || entries.length + 2 > maxTurns) {
      const need = { room: full, next: turn.tokens, maxTurns, summarize };
      const { recent, summary } = await compacted(entries, { ...need, sized: (of) => this.#sized(of) });
      turn = await this.#turn(withNote(compose(true), summary));
      if (turn.tokens > room) turn = await this.#shortened(turn, room, begun.text);
      entries = newest(recent, room - turn.tokens);
      left = newestNewsIn(this.#entries.slice(0, this.#entries.length - entries.length));
      tokens = tokensOf(entries);
    }
    const isNative = beginning.tools !== undefined;
    const earlier =
      entries === this.#entries ? this.#allMessages(isNative) : chatMessages(messagesOf(entries), isNative);
    const messages = [systemMessage(beginning)].concat(earlier, nextMessages(turn, entries, isNative));
    const before = entries === this.#entries ? this.#fingerprintOfAll() : fingerprintOf(entries);
    const hash = fingerprint(turnText(turn), fingerprint(begun.fingerprint, before));
    return { messages, turn, hash, tokens: fixed + tokens + turn.tokens, entries, left };
  }

  /** Returns what every request begins with. */
  start(beginning: Beginning): ChatMessage[] {
    return [systemMessage(beginning)].concat(this.#allMessages(beginning.tools !== undefined));
  }

  /** The end of the newest reply: the arguments of its last native call, or its text. Empty before the first one. */
  get endOfReply(): string {
    const last = this.#entries.findLast(({ turn }) => turn.role === 'assistant')?.turn;
    return last?.calls?.at(-1)?.args ?? last?.content ?? '';
  }

  /** Number of calls in the last message, which the next one answers with results. */
  get openCalls(): number {
    return openCalls(this.#entries).length;
  }

  /**
   * Returns a request with a question that is not added to the conversation. An engine that caches the prefix reads little more than the
   * question. Null when it would not leave `reserve` tokens for the reply.
   */
  async aside(content: string, beginning: Beginning, reserve: number): Promise<Draft | null> {
    const begun = this.#begun(beginning);
    const fixed = (await this.#counter.countFixed(begun.text)) + TOKENS_AROUND;
    if (this.#countedWith !== this.#counter.scale) await this.#recount();
    const turn = await this.#turn({ content });
    const tokens = fixed + this.#allTokens() + turn.tokens;
    if (tokens > this.#model().contextWindow - reserve) return null;
    return {
      messages: this.start(beginning).concat(
        nextMessages(turn, this.#entries, beginning.tools !== undefined),
      ),
      turn,
      hash: fingerprint(content, fingerprint(begun.fingerprint, this.#fingerprintOfAll())),
      tokens,
      entries: this.#entries,
      left: null,
    };
  }

  /**
   * Shortens a question outside of the conversation in its middle, so that it leaves `reserve` tokens for the reply.
   *
   * @throws RoleZeroError `context-overflow` when the system prompt leaves no room for it.
   */
  async fitting(content: string, system: string, reserve: number): Promise<string> {
    const room = this.#model().contextWindow - reserve - (await this.count(system)) - TOKENS_AROUND;
    const turn = await this.#turn({ content });
    return turn.tokens <= room ? content : (await this.#shortened(turn, room, system)).content;
  }

  /** Adds a question and its reply, exactly as they were exchanged. Returns a promise only when the model has to count. */
  append(
    draft: Pick<Draft, 'entries' | 'turn'>,
    reply: Pick<ConversationMessage, 'content' | 'calls'>,
  ): void | Promise<void> {
    const sized = this.#sized({ role: 'assistant', ...reply });
    if (sized instanceof Promise) return sized.then((answer) => this.#append(draft, answer));
    this.#append(draft, sized);
  }

  #append({ entries, turn }: Pick<Draft, 'entries' | 'turn'>, answer: ConversationMessage): void {
    if (entries !== this.#entries) this.#rewrite(entries);
    this.#fingerprint = fingerprint(turnText(answer), fingerprint(turnText(turn), this.#fingerprintOfAll()));
    this.#tokens = this.#allTokens() + turn.tokens + answer.tokens;
    if (this.#messages !== null) {
      const { list, isNative } = this.#messages;
      list.push(...nextMessages(turn, this.#entries, isNative), ...chatMessages([answer], isNative));
    }
    for (const each of [turn, answer]) {
      const number = this.#next++;
      this.#entries.push({ number, turn: each });
      this.#rows.put(number, each);
    }
  }

  /** Returns the tokens of a text: the count of the model, or an estimate that errs high. */
  count(text: string): number | Promise<number> {
    return this.#counter.count(text);
  }

  /** Corrects the estimate: a prompt that was counted as `counted` had `actual` tokens. */
  learn(counted: number, actual: number): void {
    this.#counter.learn(counted, actual);
  }

  /** Called when the model rejected a prompt as too long; the next request is shorter. */
  tooLong(): void {
    this.#counter.tooLong();
  }

  #turn(composed: ReturnType<Compose>): ConversationMessage | Promise<ConversationMessage> {
    return this.#sized({ role: 'user', ...composed });
  }

  /** Returns a promise only when the model has to count. */
  #sized(draft: Omit<ConversationMessage, 'tokens'>): ConversationMessage | Promise<ConversationMessage> {
    const tokens = this.count(turnText(draft));
    return typeof tokens === 'number' ? turnOf(draft, tokens) : tokens.then((count) => turnOf(draft, count));
  }

  /** Counts messages again that another model, or an earlier estimate, has counted. */
  async #recount(): Promise<void> {
    const { scale } = this.#counter;
    this.#entries = await Promise.all(
      this.#entries.map(async ({ number, turn }) => ({ number, turn: await this.#sized(turn) })),
    );
    this.#tokens = null;
    this.#countedWith = scale;
  }

  #rewrite(entries: readonly Entry[]): void {
    const stay = new Map(entries.map(({ number, turn }) => [number, turn]));
    for (const { number, turn } of this.#entries) {
      const now = stay.get(number);
      if (now !== turn) this.#rows.replaced?.(number, turn, this.#next);
      if (now === undefined) this.#rows.remove(number);
      else if (now !== turn) this.#rows.put(number, now);
    }
    this.#entries = [...entries];
    this.#fingerprint = null;
    this.#tokens = null;
    this.#messages = null;
  }

  #fingerprintOfAll(): string {
    this.#fingerprint ??= fingerprintOf(this.#entries);
    return this.#fingerprint;
  }

  #allMessages(isNative: boolean): ChatMessage[] {
    if (this.#messages?.isNative !== isNative)
      this.#messages = { list: chatMessages(messagesOf(this.#entries), isNative), isNative };
    return this.#messages.list;
  }

  #allTokens(): number {
    return (this.#tokens ??= tokensOf(this.#entries));
  }

  /** Returns a beginning with all that the model reads of it, which is long and rarely changes. */
  #begun({ system, tools }: Beginning): { text: string; fingerprint: string } {
    if (this.#fixed?.system !== system || this.#fixed.tools !== tools) {
      const text = tools === undefined ? system : `${system}\n${JSON.stringify(tools)}`;
      this.#fixed = { system, tools, text, fingerprint: fingerprint(text) };
    }
    return this.#fixed;
  }

  /** Returns the beginning and the end of a message that is too long by itself. */
  async #shortened(turn: ConversationMessage, room: number, system: string): Promise<ConversationMessage> {
    const { role, upTo } = turn;
    const content = turnText(turn);
    let length = content.length * Math.min(1, room / turn.tokens);
    while (room > 64 && length >= 1) {
      length = Math.floor(length * 0.85);
      const cut = headAndTail(content, length);
      const short = await this.#sized({ role, content: cut, ...defined({ upTo }) });
      if (short.tokens <= room) return short;
    }
    const window = this.#model().contextWindow;
    throw new RoleZeroError(
      'context-overflow',
      `The prompt does not fit the model's window of ${window} tokens: its fixed part alone takes about ${await this.count(system)}. Use a model with a larger window, or give the role fewer tools.`,
      { contextWindow: window },
    );
  }
}

/** Marks a message as the first one after a gap, with a summary of the gap. */
function withNote(composed: ReturnType<Compose>, summary: string): ReturnType<Compose> {
  const note = summary === '' ? LEFT_OUT : `${SUMMED_UP}\n${summary}`;
  const { content, folded, ...rest } = composed;
  return {
    ...rest,
    content: `${note}\n\n${content}`,
    ...defined({ folded: folded === undefined ? undefined : `${note}\n\n${folded}` }),
  };
}

function newestNewsIn(entries: readonly Entry[]): string | null {
  return entries.findLast(({ turn }) => turn.upTo !== undefined)?.turn.upTo ?? null;
}

function fingerprintOf(entries: readonly Entry[]): string {
  return entries.reduce((hash, { turn }) => fingerprint(turnText(turn), hash), '');
}

/** Shortens a text: two thirds of the limit from its beginning, one third from its end, and a note between them. */
export function headAndTail(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = Math.ceil((length * 2) / 3);
  const tail = Math.max(0, length - head);
  const left = text.length - head - tail;
  return `${text.slice(0, head)}\n… ${left} characters left out here …\n${tail === 0 ? '' : text.slice(-tail)}`;
}

function systemMessage({ system }: Beginning): ChatMessage {
  return { role: 'system', content: system };
}

function openCalls(entries: readonly Entry[]): NonNullable<ConversationMessage['calls']> {
  return entries.at(-1)?.turn.calls ?? [];
}

/** Returns the messages of a turn that follows the others. */
function nextMessages(
  turn: ConversationMessage,
  entries: readonly Entry[],
  isNative: boolean,
): ChatMessage[] {
  return isNative ? nativeMessages(turn, openCalls(entries)) : [textMessage(turn)];
}

function turnOf(draft: Omit<ConversationMessage, 'tokens'>, counted: number): ConversationMessage {
  const { role, content, calls, results, folded, images, upTo } = draft;
  const messages = 1 + (results?.length ?? 0) + 2 * (calls?.length ?? 0); // each result comes with the id of its call
  const tokens = counted + messages * TOKENS_AROUND + (images?.length ?? 0) * TOKENS_OF_IMAGE;
  const turn: ConversationMessage = { role, content, tokens };
  if (calls !== undefined) turn.calls = calls;
  if (results !== undefined) turn.results = results;
  if (folded !== undefined) turn.folded = folded;
  if (images !== undefined) turn.images = images;
  if (upTo !== undefined) turn.upTo = upTo;
  return turn;
}
