import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { RoleZeroError, isAbort } from '../../core/error.js';
import type { FinishReason } from '../../core/finish-reason.js';
import type { CallChunk, ChatChunk } from '../../core/model.js';
import { newId } from '../../core/new-id.js';
import { readingProgress } from '../local/progress.js';
import { heldBack } from '../local/thoughts.js';
import { InvalidUtf8, Utf8Reader, streamBytes, readBody, type Wait } from './body.js';
import {
  brokenStream,
  notAReply,
  type Target,
  errorInReply,
  errorInText,
  serverError,
  successError,
} from './errors.js';
import type { Patience } from './patience.js';
import { mergedUsage, readPiece, StreamedToolCalls, type Piece, type ReplyUsage } from './reply.js';

/** Maximum size of one message of a stream: a character of the reply may take six (`\u0041`), plus the surrounding JSON. */
const maxMessageCharacters = (maxReplyLength: number) => maxReplyLength * 6 + 65_536;

/**
 * Yields the reply in a successful response: deltas as they arrive, then usage, then `finish`. Throws `model-request` unless the reply is
 * marked as complete with a finish reason, `[DONE]`, or its token counts. Only a finish reason proves that it is whole; without one, `finish`
 * has the reason `other`.
 */
export async function* readReply(
  response: Response,
  target: Target,
  patience: Patience,
  maxReplyLength: number,
  secrets: Iterable<string>,
): AsyncGenerator<ChatChunk, void> {
  const type = response.headers.get('content-type') ?? '';
  const pieces = /\bjson\b/i.test(type) // the server does not stream
    ? readWhole(response, target, patience, maxMessageCharacters(maxReplyLength))
    : readEvents(response, target, patience, maxMessageCharacters(maxReplyLength));
  let room = maxReplyLength;
  let usage: ReplyUsage | null = null;
  let finish: FinishReason = 'other';
  const filters = { 'reasoning-delta': new SecretFilter(secrets), 'text-delta': new SecretFilter(secrets) };
  function* shown(type: keyof typeof filters, piece?: string): Generator<ChatChunk, void> {
    const text = filters[type].read(piece);
    if (text !== '') yield { type, text };
  }
  const calls = new StreamedToolCalls(newCallId);
  const ofCalls = new Map<number, { filter: SecretFilter; chunk: CallChunk }>();
  function shownCall(chunk: CallChunk): ChatChunk {
    const known = ofCalls.get(chunk.index) ?? { filter: new SecretFilter(secrets), chunk };
    ofCalls.set(chunk.index, known);
    return { ...chunk, args: known.filter.read(chunk.args) };
  }
  const progressOf = readingProgress();
  for await (const piece of pieces) {
    const progress = piece.read && progressOf(piece.read);
    if (progress) yield progress;
    yield* shown('reasoning-delta', truncate(piece.reasoning, room));
    room -= piece.reasoning.length;
    yield* shown('text-delta', truncate(piece.text, room));
    room -= piece.text.length;
    for (const call of piece.calls) {
      const chunk = calls.add(call);
      if (chunk !== null) yield shownCall(chunk);
      room -= call.args.length;
    }
    usage = mergedUsage(usage, piece.usage);
    finish = piece.finish ?? finish;
    if (room < 0) {
      finish = 'length';
      break;
    }
  }
  yield* shown('reasoning-delta');
  yield* shown('text-delta');
  for (const { filter, chunk } of ofCalls.values()) {
    const args = filter.read();
    if (args !== '') yield { ...chunk, args };
  }
  if (usage !== null) yield usage;
  yield { type: 'finish', reason: finish };
}

/** Returns an id for a call without one: nine letters and digits, which is what Mistral accepts. */
function newCallId(): string {
  return newId()
    .replace(/[^a-z\d]/gi, '')
    .slice(-9);
}

/** Yields the pieces of a body that is JSON by its type. Some servers send events nevertheless. */
async function* readWhole(
  response: Response,
  target: Target,
  patience: Patience,
  most: number,
): AsyncGenerator<Piece, void> {
  let text: string | null;
  try {
    text = await readBody(response, patience, most);
  } catch (error) {
    throw streamError(error, target);
  }
  if (text === null) throw notAReply('too-large', target);
  const reply = new StreamedReply(target);
  if (isJson(text)) {
    const pieces = reply.read({ data: text });
    if (pieces.length === 0) throw notAReply('not-a-reply', target);
    yield* pieces;
    return;
  }
  const events = new EventReader(most);
  for (const event of [...events.feed(text), ...events.end('')]) yield* reply.read(event);
  yield* reply.close(events.stray);
}

/** Yields the pieces of a server-sent event stream. Throws unless the stream marked the reply as complete. */
async function* readEvents(
  response: Response,
  target: Target,
  patience: Patience,
  most: number,
): AsyncGenerator<Piece, void> {
  const utf8 = new Utf8Reader();
  const events = new EventReader(most);
  const reply = new StreamedReply(target, patience.limits.idleMs);
  try {
    for await (const bytes of streamBytes(response, patience, () => reply.wait())) {
      if (reply.isDone()) return;
      for (const event of events.feed(utf8.read(bytes))) yield* reply.read(event);
      if (events.overflown) throw notAReply('too-large', target);
    }
    for (const event of events.end(utf8.read()))
      if (event.event === 'error' || isWholeEvent(event.data)) yield* reply.read(event);
  } catch (error) {
    // after the reply is complete, a lost connection can only lose the token counts
    if (!reply.isComplete() || isAbort(error)) throw streamError(error, target);
  }
  yield* reply.close(events.stray);
}

type ServerEvent = Pick<EventSourceMessage, 'event' | 'data'>;

/** Decodes text to events. */
class EventReader {
  overflown = false;
  /** Lines that are no part of an event: the error of a proxy, or a whole reply in a stream. */
  stray = '';
  #events: ServerEvent[] = [];
  readonly #parser;

  constructor(maxBufferSize: number) {
    this.#parser = createParser({
      maxBufferSize,
      onEvent: (event) => this.#events.push(event),
      onError: ({ type, field, value, line = '' }) => {
        if (type === 'max-buffer-size-exceeded') this.overflown = true;
        // older llama.cpp servers send errors in a field named `error`
        else if (field === 'error') this.#events.push({ event: 'error', data: value ?? '' });
        else if (isJson(line))
          this.#events.push({ data: line }); // newline-delimited JSON
        else this.stray = `${this.stray}${line}\n`.slice(0, maxBufferSize);
      },
    });
  }

  /** Returns the events that this text completes. */
  feed(text: string): ServerEvent[] {
    this.#parser.feed(text);
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Returns the last events when the stream ended without the final empty line. */
  end(text: string): ServerEvent[] {
    return this.feed(`${text}\n\n`);
  }
}

/** Returns whether the data of an event arrived whole. */
function isWholeEvent(data: string): boolean {
  return isJson(data) || data.split('\n').every((line) => /^\W*done\W*$/i.test(line) || isJson(line));
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text.replace(DATA_PREFIX, '')) === 'object';
  } catch {
    return false;
  }
}

/** Returns a RoleZeroError unchanged. All other errors come from decoding or from the connection. */
function streamError(error: unknown, target: Target): RoleZeroError {
  if (error instanceof RoleZeroError) return error;
  return brokenStream(error instanceof InvalidUtf8 ? 'invalid-utf8' : 'dropped', target, error);
}

/** Returns the first `room` characters, without half a surrogate pair at the end. */
function truncate(text: string, room: number): string {
  if (text.length <= room) return text;
  const end = Math.max(0, room);
  return text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '');
}

/**
 * Removes keys from a text that arrives in pieces. A gateway may echo the request into the reply, which is stored, shown, and sent to other
 * models. Holds back text that may be the start of a key.
 */
class SecretFilter {
  #held = '';
  readonly #keys: readonly string[];

  /** Ignores secrets that do not look like a key: `ollama`, which local servers accept as a key, is a common word in replies. */
  constructor(secrets: Iterable<string>) {
    this.#keys = [...secrets].filter((secret) => /^(?=.*\d)\S{16,}$/.test(secret));
  }

  /** Returns the text that can be shown so far; without a piece, the rest. */
  read(piece?: string): string {
    if (this.#keys.length === 0) return piece ?? '';
    const text = this.#keys.reduce((all, key) => all.replaceAll(key, '[secret]'), this.#held + (piece ?? ''));
    const withheld = piece === undefined ? 0 : heldBack(text, this.#keys);
    this.#held = text.slice(text.length - withheld);
    return text.slice(0, text.length - withheld);
  }
}

/** Maximum wait after a finish reason, in ms: for the token counts, or for more text of a gateway that marks every event as the last. */
const WAIT_AFTER_FINISH_MS = 4000;
/** Maximum wait for the end of the response after `[DONE]`, in ms. The connection can then be reused for the next call. */
const WAIT_FOR_END_MS = 100;

const DONE = /^"?\[done\]"?$/i;
/** Text that proxies send to keep a connection open. */
const KEEP_ALIVE = /^\W*(?:ping|pong|keep.?alive|heartbeat|processing|connected)\W*$/i;
/** A proxy that wraps a stream into another one repeats it. */
const DATA_PREFIX = /^(?:data:\s*)+/;

/** The progress of a reply that arrives in messages. */
class StreamedReply {
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
    const text = data.replace(DATA_PREFIX, '').trim();
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
