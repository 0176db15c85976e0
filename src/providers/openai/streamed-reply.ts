import { RoleZeroError } from '../../core/error.js';
import type { Wait } from './body.js';
import {
  brokenStream,
  errorInReply,
  errorInText,
  notAReply,
  serverError,
  successError,
  type Target,
} from './errors.js';
import { readPiece, type Piece } from './reply.js';

/** Maximum wait after a finish reason, in ms: for the token counts, or for more text of a gateway that marks every event as the last. */
const WAIT_AFTER_FINISH_MS = 4000;
/** Maximum wait for the end of the response after `[DONE]`, in ms. The connection can then be reused for the next call. */
const WAIT_FOR_END_MS = 100;

const DONE = /^"?\[done\]"?$/i;
/** Text that proxies send to keep a connection open. */
const KEEP_ALIVE = /^\W*(?:ping|pong|keep.?alive|heartbeat|processing|connected)\W*$/i;
/** A proxy that wraps a stream into another one repeats it. */
const PREFIX = /^(?:data:\s*)+/;

/** The progress of a reply that arrives in messages. */
export class StreamedReply {
  readonly #target: Target;
  readonly #idleMs: number;
  #stage: 'awaited' | 'begun' | 'finished' | 'done' = 'awaited';
  /** A finish reason came, or token counts after text. */
  #hasEndMark = false;
  /** The text so far. */
  #text = '';
  /** Number of messages with text, and whether one was a `delta`. */
  #parts = 0;
  #hasDelta = false;
  #hasCalls = false;

  constructor(target: Target, idleMs = Infinity) {
    this.#target = target;
    this.#idleMs = idleMs;
  }

  /** Reads an event. Returns nothing when it adds nothing. Throws for an error of the server and for invalid JSON. */
  read({ event, data }: { event?: string | undefined; data: string }): Piece[] {
    const text = data.replace(PREFIX, '').trim();
    if (DONE.test(text)) this.#stage = 'done';
    if (this.isDone() || text === '') return []; // some servers send empty events to keep the connection alive
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (error) {
      return this.#readText(text, event === 'error', error);
    }
    const failure = event === 'error' ? (serverError(message) ?? errorInText(text)) : successError(message);
    if (failure !== null) throw errorInReply(failure, this.#target);
    const piece = readPiece(message);
    return piece === null ? [] : [this.#add(piece)];
  }

  /** Returns the last piece of a stream that was closed. Throws unless the reply was marked as complete. */
  close(stray: string): Piece[] {
    if (this.isComplete()) return [];
    if (this.#stage === 'awaited' && /^\s*\{[^]*\}\s*$/.test(stray)) return this.read({ data: stray });
    if (!this.#hasEndMark) throw this.#incomplete(stray);
    // text came after the finish reason: nothing proves that it is all
    return [
      {
        text: '',
        reasoning: '',
        calls: [],
        isMessage: false,
        finish: 'other',
        failure: '',
        usage: null,
        read: null,
      },
    ];
  }

  /** Returns how long to wait for the next bytes. */
  wait(): Wait {
    switch (this.#stage) {
      case 'awaited':
        return 'firstByteMs';
      case 'begun':
        return 'idleMs';
      case 'finished':
        return Math.min(WAIT_AFTER_FINISH_MS, this.#idleMs);
      case 'done':
        return WAIT_FOR_END_MS;
    }
  }

  isComplete(): boolean {
    return this.#stage === 'finished' || this.isDone();
  }

  isDone(): boolean {
    return this.#stage === 'done';
  }

  /** Reads an event that is no JSON value: several values, one a line, or the words of an error. */
  #readText(text: string, isError: boolean, cause: unknown): Piece[] {
    const lines = text.split('\n');
    if (!isError && lines.length > 1) return lines.flatMap((line) => this.read({ data: line }));
    if (!isError && KEEP_ALIVE.test(text)) return [];
    if (!isError && /^[{["]/.test(text)) throw brokenStream('invalid-json', this.#target, cause);
    throw errorInReply(errorInText(text), this.#target);
  }

  /** Adds a piece to the reply. Returns it without what the reply already has. */
  #add(piece: Piece): Piece {
    const { finish, failure, usage } = piece;
    if (failure !== '')
      throw errorInReply({ message: `finish_reason "${failure}"`, code: failure }, this.#target);
    const isRepeated = piece.isMessage && this.#hasDelta;
    const text = piece.isMessage ? this.#newText(piece.text, finish !== null) : piece.text;
    const reasoning = isRepeated ? '' : piece.reasoning;
    this.#text += text;
    if (text !== '') this.#parts++;
    const calls = piece.isMessage && this.#hasCalls ? [] : piece.calls;
    this.#hasDelta ||= !piece.isMessage && text !== '';
    this.#hasCalls ||= calls.length > 0;
    const hasContent = text + reasoning !== '' || calls.length > 0;
    if (finish !== null) this.#stage = 'finished';
    else if (hasContent) this.#stage = 'begun';
    const isBegun = this.#text !== '' || this.#hasCalls;
    this.#hasEndMark ||= finish !== null || (isBegun && !hasContent && usage !== null);
    return { ...piece, text, reasoning, calls };
  }

  /** Returns what the text of a `message` adds. Some servers send one in place of each `delta`, others the whole text again at the end. */
  #newText(text: string, isLast: boolean): string {
    if (this.#hasDelta) return text.startsWith(this.#text) ? text.slice(this.#text.length) : '';
    return isLast && this.#parts > 1 && text === this.#text ? '' : text;
  }

  #incomplete(stray: string): RoleZeroError {
    if (/^\s*<(?:!doctype|html)/i.test(stray)) return notAReply('html', this.#target);
    const { message } = errorInText(stray.trim());
    return brokenStream('incomplete', this.#target, undefined, message);
  }
}
