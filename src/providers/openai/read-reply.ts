import { createParser } from 'eventsource-parser';
import { RoleZeroError, isAbort } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import type { ChatChunk } from '../../core/model.js';
import { InvalidUtf8, Utf8Reader, bytesOf, textOf, type Wait } from './body.js';
import { brokenStream, errorInReply, notAReply, serverError, type Target } from './errors.js';
import type { Patience } from './patience.js';
import { type FinishReason, type Piece, readPiece, type Usage } from './reply.js';
import { SecretFilter } from './secret-filter.js';

/** Maximum wait for the token counts after the finish reason, in ms. */
const WAIT_FOR_USAGE_MS = 2000;
/** Maximum wait for the end of the response after `[DONE]`, in ms. The connection can then be reused for the next call. */
const WAIT_FOR_END_MS = 100;

/** Maximum size of one message of a stream: a character of the reply may take six (`\u0041`), plus the surrounding JSON. */
const mostCharacters = (maxReplyLength: number) => maxReplyLength * 6 + 65_536;

/**
 * Yields the reply in a successful response: deltas as they arrive, then usage, then `finish`. Throws `model-request` unless the reply is
 * marked as complete with a finish reason or `[DONE]`.
 */
export async function* readReply(
  response: Response,
  target: Target,
  patience: Patience,
  maxReplyLength: number,
  secrets: Iterable<string>,
): AsyncGenerator<ChatChunk, void> {
  const type = response.headers.get('content-type') ?? '';
  if (/\bhtml\b/i.test(type)) throw notAReply('html', target);
  const pieces = /\bjson\b/i.test(type) // the server does not stream
    ? readWhole(response, target, patience, mostCharacters(maxReplyLength))
    : readStream(response, target, patience, mostCharacters(maxReplyLength));
  let room = maxReplyLength;
  let usage: Usage | null = null;
  let finish: FinishReason = 'stop'; // applies to [DONE] without a reason
  const filters = { 'reasoning-delta': new SecretFilter(secrets), 'text-delta': new SecretFilter(secrets) };
  function* shown(type: keyof typeof filters, piece?: string): Generator<ChatChunk, void> {
    const text = filters[type].read(piece);
    if (text !== '') yield { type, text };
  }
  for await (const piece of pieces) {
    yield* shown('reasoning-delta', cut(piece.reasoning, room));
    room -= piece.reasoning.length;
    yield* shown('text-delta', cut(piece.text, room));
    room -= piece.text.length;
    usage = piece.usage ?? usage; // some servers send running totals; the last one applies
    finish = piece.finish ?? finish;
    if (room < 0) {
      finish = 'length';
      break;
    }
  }
  yield* shown('reasoning-delta');
  yield* shown('text-delta');
  if (usage !== null) yield usage;
  yield { type: 'finish', reason: finish };
}

async function* readWhole(
  response: Response,
  target: Target,
  patience: Patience,
  most: number,
): AsyncGenerator<Piece, void> {
  let text: string | null;
  try {
    text = await textOf(response, patience, most);
  } catch (error) {
    throw streamError(error, target);
  }
  if (text === null) throw notAReply('too-large', target);
  const piece = parsePiece(text, target);
  if (piece === null) throw notAReply('not-a-reply', target);
  yield piece;
}

/** Yields the pieces of a server-sent event stream. Throws unless the stream marked the reply as complete. */
async function* readStream(
  response: Response,
  target: Target,
  patience: Patience,
  most: number,
): AsyncGenerator<Piece, void> {
  const events = new EventReader(most);
  const reply = new StreamedReply(target);
  try {
    for await (const bytes of bytesOf(response, patience, () => reply.wait())) {
      if (reply.isDone()) return;
      for (const data of events.feed(bytes)) {
        const piece = reply.read(data);
        if (piece !== null) yield piece;
      }
      if (events.overflown) throw notAReply('too-large', target);
    }
    const rest = events.end();
    const piece = rest !== null && isWhole(rest) ? reply.read(rest) : null;
    if (piece !== null) yield piece;
  } catch (error) {
    // after the reply is complete, a lost connection can only lose the token counts
    if (!reply.isComplete() || isAbort(error)) throw streamError(error, target);
  }
  if (!reply.isComplete()) throw brokenStream('incomplete', target);
}

/** Tracks the progress of a streamed reply. */
class StreamedReply {
  readonly #target: Target;
  #stage: 'awaited' | 'begun' | 'finished' | 'done' = 'awaited';

  constructor(target: Target) {
    this.#target = target;
  }

  /** Reads an event. Returns null when it adds nothing. Throws for an error of the server and for invalid JSON. */
  read(data: string): Piece | null {
    if (data.trim() === '[DONE]') this.#stage = 'done';
    if (this.isDone() || data.trim() === '') return null; // some servers send empty events to keep the connection alive
    const piece = parsePiece(data, this.#target);
    if (piece === null) return null;
    if (piece.finish !== null) this.#stage = 'finished';
    else if (this.#stage === 'awaited' && piece.text + piece.reasoning !== '') this.#stage = 'begun';
    return piece;
  }

  /** Returns how long to wait for the next bytes. */
  wait(): Wait {
    switch (this.#stage) {
      case 'awaited':
        return 'firstByteMs';
      case 'begun':
        return 'idleMs';
      case 'finished':
        return WAIT_FOR_USAGE_MS;
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
}

/** Decodes bytes to the data of events. */
class EventReader {
  overflown = false;
  readonly #utf8 = new Utf8Reader();
  #events: string[] = [];
  readonly #parser;

  constructor(maxBufferSize: number) {
    this.#parser = createParser({
      maxBufferSize,
      onEvent: ({ data }) => this.#events.push(data),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.overflown = true;
        // older llama.cpp servers send errors in a field named `error`
        if (error.field === 'error') this.#events.push(`{"error":${error.value ?? 'null'}}`);
      },
    });
  }

  /** Returns the events that these bytes complete. Throws `InvalidUtf8`. */
  feed(bytes: Uint8Array): string[] {
    this.#parser.feed(this.#utf8.read(bytes));
    return this.#take();
  }

  /** Returns the last event when the stream ended without the final empty line, or null. */
  end(): string | null {
    this.#parser.feed(`${this.#utf8.read()}\n\n`);
    return this.#take()[0] ?? null;
  }

  #take(): string[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** Parses a message. Returns null when it adds nothing. Throws for an error of the server. */
function parsePiece(json: string, target: Target): Piece | null {
  let message: unknown;
  try {
    message = JSON.parse(json);
  } catch (error) {
    throw brokenStream('invalid-json', target, error);
  }
  const failure = isError(message) ? serverError(message) : null;
  if (failure !== null) throw errorInReply(failure, target);
  return readPiece(message);
}

/** Returns true for an error message. OpenRouter sends errors next to the choices, older vLLM servers an object with `object: 'error'`. */
function isError(message: unknown): boolean {
  return isRecord(message) && (Boolean(message['error']) || message['object'] === 'error');
}

function isWhole(data: string): boolean {
  if (data.trim() === '[DONE]') return true;
  try {
    JSON.parse(data);
    return true;
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
function cut(text: string, room: number): string {
  if (text.length <= room) return text;
  const end = Math.max(0, room);
  return text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '');
}
