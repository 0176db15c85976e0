import { createParser } from 'eventsource-parser';
import { RoleZeroError, isAbort } from '../../base/error.js';
import { isRecord } from '../../base/json.js';
import type { ChatChunk } from '../../base/model.js';
import { InvalidUtf8, Utf8Reader, bytesOf, textOf, type Wait } from './body.js';
import { brokenStream, errorInReply, notAReply, serverError, type Target } from './errors.js';
import type { Patience } from './patience.js';
import { type FinishReason, type Piece, readPiece, type Usage } from './reply.js';
import { SecretFilter } from './secret-filter.js';

/** A reply that said how it ended may still be followed by its token counts, */
const WAIT_FOR_USAGE_MS = 2000;
/** and one that said it is over by the end of the response, after which the connection can serve the next call. */
const WAIT_FOR_END_MS = 100;

/** How large one message of a stream may be: a character of the reply can take six (`\u0041`), and there is a frame around it. */
const mostCharacters = (maxReplyLength: number) => maxReplyLength * 6 + 65_536;

/**
 * The reply in a response that began well: deltas as they arrive, then usage, then `finish`. Throws `model-request` for anything that
 * does not say that it is complete, by a finish reason or `[DONE]`.
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
  const pieces = /\bjson\b/i.test(type) // a server that does not stream
    ? readWhole(response, target, patience, mostCharacters(maxReplyLength))
    : readStream(response, target, patience, mostCharacters(maxReplyLength));
  let room = maxReplyLength;
  let usage: Usage | null = null;
  let finish: FinishReason = 'stop'; // [DONE] without a reason
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
    usage = piece.usage ?? usage; // some servers count along: the last one holds
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

/** The pieces of a server-sent event stream; ends without error only if the stream said that the reply is complete. */
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
    // once the reply is complete, a connection that breaks can only cost its token counts
    if (!reply.isComplete() || isAbort(error)) throw streamError(error, target);
  }
  if (!reply.isComplete()) throw brokenStream('incomplete', target);
}

/** How far the events of a stream have brought the reply. */
class StreamedReply {
  readonly #target: Target;
  #stage: 'awaited' | 'begun' | 'finished' | 'done' = 'awaited';

  constructor(target: Target) {
    this.#target = target;
  }

  /** What an event adds; null when that is nothing. Throws for an error of the server and for what is not JSON. */
  read(data: string): Piece | null {
    if (data.trim() === '[DONE]') this.#stage = 'done';
    if (this.isDone() || data.trim() === '') return null; // an empty event keeps connections alive
    const piece = parsePiece(data, this.#target);
    if (piece === null) return null;
    if (piece.finish !== null) this.#stage = 'finished';
    else if (this.#stage === 'awaited' && piece.text + piece.reasoning !== '') this.#stage = 'begun';
    return piece;
  }

  /** How long to wait for what comes next. */
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

/** Bytes to the data of events. */
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
        // older llama.cpp servers send their errors in a field of that name
        if (error.field === 'error') this.#events.push(`{"error":${error.value ?? 'null'}}`);
      },
    });
  }

  /** The events that these bytes complete. Throws `InvalidUtf8`. */
  feed(bytes: Uint8Array): string[] {
    this.#parser.feed(this.#utf8.read(bytes));
    return this.#take();
  }

  /** The event at the end of a stream that lacks its empty line, if there is one. */
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

/** What a piece of JSON adds; null when it says nothing that matters here. Throws for an error of the server. */
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

/** OpenRouter puts its errors beside the choices, older vLLM servers in an object of that kind. */
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

/** Our own errors as they are; all others come from decoding or from the connection. */
function streamError(error: unknown, target: Target): RoleZeroError {
  if (error instanceof RoleZeroError) return error;
  return brokenStream(error instanceof InvalidUtf8 ? 'invalid-utf8' : 'dropped', target, error);
}

/** The first characters, without half of a surrogate pair at the end. */
function cut(text: string, room: number): string {
  if (text.length <= room) return text;
  const end = Math.max(0, room);
  return text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '');
}
