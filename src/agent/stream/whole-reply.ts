import { isAbort, RoleZeroError } from '../../core/error.js';
import type { AgentEvent } from '../../core/events.js';
import { inTime } from '../../core/in-time.js';
import { isRecord, type JsonSchema } from '../../core/json.js';
import type { ChatChunk, ChatModel, ChatRequest, Purpose } from '../../core/model.js';
import { parseStrictly } from '../json/strict.js';

/** In ms, how long a model may write nothing, or blanks, after all that its reply must contain. */
const MAX_SILENCE = 3_000;

/**
 * Watches a reply that the engine holds to a JSON Schema. Small models write all that it requires, and then blanks without an end, which some
 * servers hold back: in place of the last brace, or after it.
 */
export class WholeReply {
  readonly #required: readonly unknown[];
  #text = '';
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The last character that is no blank. */
  #last = '';
  /** Undefined until it is looked at; blanks change nothing. */
  #lacks: '' | '}' | null | undefined;

  constructor(schema: JsonSchema | undefined) {
    const required = schema?.['required'];
    this.#required = Array.isArray(required) ? required : [];
  }

  push(text: string): void {
    if (this.#required.length === 0) return;
    this.#text += text;
    for (const char of text) this.#read(char);
  }

  /** What the text lacks: nothing, or only the last brace. Null when more may follow. */
  get lacks(): '' | '}' | null {
    if (this.#lacks === undefined) this.#lacks = this.#missing();
    return this.#lacks;
  }

  #missing(): '' | '}' | null {
    if (this.#depth > 1 || this.#isInString || (this.#last !== ']' && this.#last !== '}')) return null;
    const end = this.#depth === 1 ? '}' : '';
    const value = parseStrictly(this.#text + end);
    return isRecord(value) && this.#required.every((key) => Object.hasOwn(value, String(key))) ? end : null;
  }

  #read(char: string): void {
    if (char.trim() !== '') [this.#last, this.#lacks] = [char, undefined];
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInString) {
      if (char === '"') this.#isInString = false;
      else this.#isEscaped = char === '\\';
    } else if (char === '"') this.#isInString = true;
    else if (char === '{' || char === '[') this.#depth += 1;
    else if (char === '}' || char === ']') this.#depth -= 1;
  }
}

/**
 * Sends a request, and passes on the chunks of the reply. Ends when the model is silent or writes blanks after a whole reply, and when the
 * connection breaks off there: nothing is missing.
 */
export async function* untilWhole(
  model: ChatModel,
  request: ChatRequest,
  reply: WholeReply,
): AsyncGenerator<ChatChunk, void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([request.signal, ended.signal]);
  const chunks = model.chat({ ...request, signal })[Symbol.asyncIterator]();
  let wholeAt: number | null = null;
  try {
    for (;;) {
      wholeAt = reply.lacks !== null ? (wholeAt ?? performance.now()) : null;
      const next = chunks.next();
      const result =
        wholeAt === null
          ? await next
          : await inTime(next, wholeAt + MAX_SILENCE - performance.now(), () => null);
      if (result === null || result.done === true) return;
      yield result.value;
    }
  } catch (error) {
    if (isAbort(error) || reply.lacks === null) throw error;
  } finally {
    ended.abort(new RoleZeroError('aborted', 'The reply is not read any further.'));
    void Promise.resolve(chunks.return?.()).catch(() => {}); // a model that hangs must not delay the end
  }
}

/** Returns the warning about a reply that lacked only its end; see `WholeReply`. */
export function wholeWithoutEnd(role: string, purpose: Purpose): AgentEvent<'warning'> {
  return {
    type: 'warning',
    code: 'model-request',
    message: 'The model wrote a whole reply, but not its end. The reply is used.',
    detail: { role, purpose },
  };
}
