import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { RoleZeroError, isAbort } from '../../core/error.js';
import { newId } from '../../core/new-id.js';
import type { FinishReason } from '../../core/finish-reason.js';
import type { CallChunk, ChatChunk } from '../../core/model.js';
import { InvalidUtf8, Utf8Reader, bytesOf, textOf } from './body.js';
import { brokenStream, notAReply, type Target } from './errors.js';
import { readingProgress } from '../local/reading-progress.js';
import type { Patience } from './patience.js';
import { mergedUsage, type Piece, type Usage } from './reply.js';
import { SecretFilter } from './secret-filter.js';
import { StreamedReply } from './streamed-reply.js';
import { StreamedToolCalls } from './tool-calls.js';

/** Maximum size of one message of a stream: a character of the reply may take six (`\u0041`), plus the surrounding JSON. */
const mostCharacters = (maxReplyLength: number) => maxReplyLength * 6 + 65_536;

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
    ? readWhole(response, target, patience, mostCharacters(maxReplyLength))
    : readStream(response, target, patience, mostCharacters(maxReplyLength));
  let room = maxReplyLength;
  let usage: Usage | null = null;
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
    yield* shown('reasoning-delta', cut(piece.reasoning, room));
    room -= piece.reasoning.length;
    yield* shown('text-delta', cut(piece.text, room));
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
    text = await textOf(response, patience, most);
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
async function* readStream(
  response: Response,
  target: Target,
  patience: Patience,
  most: number,
): AsyncGenerator<Piece, void> {
  const utf8 = new Utf8Reader();
  const events = new EventReader(most);
  const reply = new StreamedReply(target, patience.limits.idleMs);
  try {
    for await (const bytes of bytesOf(response, patience, () => reply.wait())) {
      if (reply.isDone()) return;
      for (const event of events.feed(utf8.read(bytes))) yield* reply.read(event);
      if (events.overflown) throw notAReply('too-large', target);
    }
    for (const event of events.end(utf8.read()))
      if (event.event === 'error' || isWhole(event.data)) yield* reply.read(event);
  } catch (error) {
    // after the reply is complete, a lost connection can only lose the token counts
    if (!reply.isComplete() || isAbort(error)) throw streamError(error, target);
  }
  yield* reply.close(events.stray);
}

type Event = Pick<EventSourceMessage, 'event' | 'data'>;

/** Decodes text to events. */
class EventReader {
  overflown = false;
  /** Lines that are no part of an event: the error of a proxy, or a whole reply in a stream. */
  stray = '';
  #events: Event[] = [];
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
  feed(text: string): Event[] {
    this.#parser.feed(text);
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Returns the last events when the stream ended without the final empty line. */
  end(text: string): Event[] {
    return this.feed(`${text}\n\n`);
  }
}

/** Returns whether the data of an event arrived whole. */
function isWhole(data: string): boolean {
  return isJson(data) || data.split('\n').every((line) => /^\W*done\W*$/i.test(line) || isJson(line));
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text.replace(/^(?:data:\s*)+/, '')) === 'object';
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
