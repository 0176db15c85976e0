import { defined } from '../../core/defined.js';
import { isAbort, RoleZeroError, sentences } from '../../core/error.js';
import type { AgentEvent } from '../../core/events.js';
import type { FinishReason } from '../../core/finish-reason.js';
import type { JsonSchema } from '../../core/json.js';
import type {
  ChatMessage,
  ChatModel,
  ChatRequest,
  ProgressChunk,
  Purpose,
  ToolCall,
  Reasoning,
} from '../../core/model.js';
import type { RecordedReply, RoleContext } from './context.js';
import type { Summarize } from '../prompt/compaction.js';
import type { Beginning, Compose, Conversation, Draft } from '../prompt/conversation.js';
import { hasFewParameters } from '../prompt/preset.js';
import type { NativeTools } from '../prompt/reply-form.js';
import { fingerprint } from '../../core/fingerprint.js';
import {
  endToShow,
  type RepeatedText,
  stoppedReply,
  unitAtEnd,
  watchReply,
} from '../stream/repetition-watch.js';
import { ThoughtText } from '../stream/thought-text.js';
import { readStream, StreamedCalls, ReportedUsage, type CallUsage } from '../stream/read-stream.js';
import { untilWhole, WholeReply, wholeWithoutEnd } from '../stream/whole-reply.js';
import { describeLimit, limitAdvice, limitReached, type OutputLimit } from './output-limit.js';

/** A question to the model. */
export interface Question {
  purpose: Purpose;
  /** The next message of the conversation: a text, or a function that composes it. */
  text: string | Compose;
  /** The system prompt. */
  system?: string;
  /**
   * Leaves no trace in the conversation. `true`: a separate conversation. `within`: the next message of the conversation, or a separate one
   * with a complete text when that does not fit.
   */
  apart?: boolean | 'within';
  responseSchema?: JsonSchema;
  /** The tools of a conversation whose calls are native. */
  tools?: NativeTools;
  /** The reply may call them. */
  mayCall?: boolean;
  /** Maximum tokens of the reply; the window may leave fewer. */
  maxOutputTokens?: number;
  /** Randomness of the reply. @default that of the model */
  temperature?: number;
  /** How much the model thinks. @default that of the model */
  reasoning?: Reasoning;
  /** Summarizes messages that leave the conversation. */
  summarize?: Summarize;
  /** A reply from the experience pool, or of an earlier run, used in place of a model call. */
  known?: RecordedReply;
}

/** A question to the model whose reply is stored. */
export interface DurableQuestion extends Question {
  /** Unique in the step. */
  key: string;
  /** Called with the reply; its changes of the state are committed together with the reply. */
  onReply?: (reply: Pick<Reply, 'left'>) => void;
}

export interface Reply {
  text: string;
  /** Its native calls; absent for none. */
  calls?: readonly ToolCall[];
  /** The reply was cut off at a length limit, or may have been. */
  cut: boolean;
  /** The limit that cut it; null for a whole reply. */
  limit: OutputLimit | null;
  /** Equal for equal prompts. */
  promptHash: string;
  /** See `Draft.left`. */
  left: string | null;
  /** Null when the reply cost nothing and is not counted: a user typed it. */
  usage: CallUsage | null;
  /** The model has no price, and reported no cost. */
  isUnpriced?: true;
}

type Retry = Pick<AgentEvent<'call-retry'>, 'attempt' | 'attempts' | 'waitMs' | 'reason'>;

/** The part of a reply that comes from the model. */
type ModelReply = Pick<Reply, 'text' | 'calls' | 'cut'> & {
  usage: ReportedUsage;
  end: FinishReason;
  /** It was stopped, because it repeated itself. */
  repeated?: RepeatedText;
};

/** What belongs to a request: the hash of its prompt, the tools that the reply may call, and the reply before. */
interface Sent {
  hash: string;
  tools: NativeTools | undefined;
  /** What the reply before was stopped for, because it repeated it; null for nothing. */
  earlier: string | null;
}

/** Attempts for a stream that breaks off; the partial text is discarded. */
const ATTEMPTS = 3;
/** Attempts for a prompt that the model rejects as too long; each one is shorter. */
const TRIES_TO_FIT = 4;
/** Maximum characters of a filtered reply in its error. */
const MAX_QUOTE = 300;
/** Maximum characters of a reply; a longer one is cut. */
const MAX_REPLY_CHARACTERS = 256 * 1024;
/** Share of a small window for the reply. */
const REPLY_SHARE = 0.25;
/** Share of it that the last replies before a compaction get at least: it saves a compaction for one more step. */
const LEAST_OF_REPLY = 0.8;
const MAX_OUTPUT_TOKENS = 4_096;

/** Purposes whose replies are streamed to the user. The other calls are internal. */
const STREAMED: ReadonlySet<Purpose> = new Set<Purpose>([
  'think',
  'quick',
  'report',
  'search-answer',
  'other',
]);
/** Purposes whose complete reply is reported; a classification is not streamed. */
export const SHOWN: ReadonlySet<Purpose> = new Set<Purpose>([...STREAMED, 'classify']);

/** The agent that asks its model. Its model and its context may change. */
interface AskingAgent {
  readonly name: string;
  readonly model: ChatModel;
  readonly context: Pick<RoleContext, 'emit' | 'onRequest'>;
}

/** Sends the questions of one role to its model and streams the replies. */
export class ModelCall {
  readonly #agent: AskingAgent;
  readonly #conversation: Conversation;

  constructor(agent: AskingAgent, conversation: Conversation) {
    this.#agent = agent;
    this.#conversation = conversation;
  }

  /** Lets a model on this machine load, and read what the next prompt begins with. @throws RoleZeroError of the model, or `aborted`. */
  async prepare(system: string, signal: AbortSignal): Promise<void> {
    const chunks = this.#agent.model.prepare?.(this.#conversation.start({ system }), signal);
    for await (const chunk of chunks ?? []) this.#emitProgress(chunk);
  }

  /** @throws RoleZeroError of the model, `context-overflow`, or `aborted`. */
  async ask(question: Question, signal: AbortSignal): Promise<Reply> {
    const model = this.#agent.model;
    const { contextWindow } = model;
    const allowed = allowedOutput(question, model);
    const most = allowed.tokens;
    const reserve = Math.floor(Math.min(most, contextWindow * REPLY_SHARE * LEAST_OF_REPLY));
    for (let attempt = 1; ; attempt++) {
      const earlier = question.apart === true ? null : unitAtEnd(this.#conversation.endOfReply);
      const draft = await this.#draft(question, reserve);
      const request = requestOf(
        model,
        question,
        draft.messages,
        signal,
        Math.floor(Math.min(most, contextWindow - draft.tokens)),
      );
      if (question.known === undefined) this.#announce(model, request, draft.tokens);
      try {
        const received =
          question.known === undefined
            ? await this.#stream(model, request, { hash: draft.hash, tools: question.tools, earlier })
            : this.#repeated(question.purpose, question.known);
        const { text, cut, calls } = received;
        const added = question.apart
          ? undefined
          : this.#conversation.append(draft, { content: text, ...defined({ calls }) });
        if (added !== undefined) await added;
        const reported = received.usage;
        this.#conversation.learn(draft.tokens, reported.used.promptTokens);
        const limit = cut ? this.#limitOf(request, allowed, received) : null;
        const reply: Reply = {
          text,
          cut,
          limit,
          promptHash: draft.hash,
          left: draft.left,
          usage: reported.used,
          ...defined({ calls }),
        };
        if (question.known !== undefined) return reply;
        const counted =
          reported.used.completionTokens || this.#conversation.count(text + argumentsInText(calls));
        const completionTokens = typeof counted === 'number' ? counted : await counted;
        reply.usage = reported.counted(model, { promptTokens: draft.tokens, completionTokens });
        if (!reported.isPriced(model)) reply.isUnpriced = true;
        return reply;
      } catch (error) {
        const tooLong = error instanceof RoleZeroError && error.code === 'context-overflow';
        if (!tooLong || attempt === TRIES_TO_FIT) throw error;
        this.#conversation.tooLong();
        this.#warn(error, `The prompt was longer than counted; sending a shorter one`, attempt, TRIES_TO_FIT);
      }
    }
  }

  /** Returns the limit that cut a reply. Warns when the reply has no text. */
  #limitOf(
    { maxOutputTokens, purpose }: ChatRequest,
    allowed: AllowedOutput,
    received: ModelReply,
  ): OutputLimit {
    const tokens = maxOutputTokens ?? allowed.tokens;
    const from = tokens < Math.floor(allowed.tokens) ? 'contextWindow' : allowed.from;
    if (received.repeated !== undefined) {
      this.#agent.context.emit(stoppedReply(this.#agent.name, purpose, received.repeated));
      return { tokens: 0, from: 'repetition', isEmpty: false };
    }
    const limit = limitReached(
      received.end === 'other'
        ? { tokens: received.usage.used.completionTokens, from: 'unknown' }
        : { tokens, from },
      received.text,
      received.usage.used.completionTokens,
    );
    if (limit.isEmpty)
      this.#agent.context.emit({
        type: 'warning',
        code: 'model-request',
        message: `The reply ${describeLimit(limit)}. ${limitAdvice(limit)}`,
        detail: { role: this.#agent.name, purpose, ...limit },
      });
    return limit;
  }

  #announce(
    { id, price }: ChatModel,
    { purpose, maxOutputTokens = 0 }: ChatRequest,
    promptTokens: number,
  ): void {
    const millionths = price
      ? promptTokens * price.promptPerMillion + maxOutputTokens * price.completionPerMillion
      : 0;
    this.#agent.context.emit({
      type: 'call-start',
      role: this.#agent.name,
      model: id,
      purpose,
      promptTokens,
      maxCompletionTokens: maxOutputTokens,
      maxCostUsd: millionths / 1e6,
    });
  }

  #draft({ text, system = '', tools, apart, summarize }: Question, reserve: number): Promise<Draft> {
    const compose = typeof text === 'string' ? constant(text) : text;
    if (apart === true) return this.#ofItsOwn(compose(true).content, system, reserve);
    const beginning: Beginning = { system, tools: tools?.specs };
    if (apart === 'within') return this.#within(compose, beginning, reserve);
    return this.#conversation.request(beginning, compose, reserve, summarize);
  }

  async #within(compose: Compose, beginning: Beginning, reserve: number): Promise<Draft> {
    const within = await this.#conversation.aside(compose(false).content, beginning, reserve);
    return within ?? this.#ofItsOwn(compose(true).content, '', reserve);
  }

  async #ofItsOwn(text: string, system: string, reserve: number): Promise<Draft> {
    const content = await this.#conversation.fitting(text, system, reserve);
    const messages: ChatMessage[] = [{ role: 'user', content }];
    if (system !== '') messages.unshift({ role: 'system', content: system });
    const tokens = await this.#conversation.count(system + content);
    const turn = { role: 'user' as const, content, tokens };
    return {
      messages,
      turn,
      tokens,
      hash: fingerprint(content, fingerprint(system)),
      entries: [],
      left: null,
    };
  }

  #repeated(purpose: Purpose, { reply: text, calls, cut }: RecordedReply): ModelReply {
    const words = new ThoughtText(purpose);
    this.#emitReply(purpose, text, words.push(text));
    this.#emitReply(purpose, '', words.end());
    const end = cut ? 'length' : 'stop';
    return { text, cut, usage: new ReportedUsage(), end, ...defined({ calls }) };
  }

  /** Emits a part of the reply, and the words that are certain now; either may be empty. */
  #emitReply(purpose: Purpose, text: string, words: string): void {
    const { name: role, context } = this.#agent;
    if (text !== '') context.emit({ type: 'reply-delta', role, purpose, text });
    if (words !== '') context.emit({ type: 'thought-delta', role, purpose, text: words });
  }

  async #stream(model: ChatModel, request: ChatRequest, sent: Sent): Promise<ModelReply> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(model, request, sent);
      } catch (error) {
        const retryable = error instanceof RoleZeroError && error.detail['retryable'] === true;
        if (request.signal.aborted || isAbort(error) || !retryable || attempt === ATTEMPTS) throw error;
        this.#retry(request, { attempt, attempts: ATTEMPTS - 1, waitMs: 0, reason: error.message });
        this.#warn(error, 'The reply was interrupted; requesting it again', attempt, ATTEMPTS);
      }
    }
  }

  #retry({ purpose }: ChatRequest, about: Retry): void {
    this.#agent.context.emit({ type: 'call-retry', role: this.#agent.name, purpose, ...about });
  }

  #warn({ code, message }: RoleZeroError, what: string, attempt: number, attempts: number): void {
    this.#agent.context.emit({
      type: 'warning',
      code,
      message: `${what} (${attempt} of ${attempts - 1}): ${message}`,
      detail: { attempt },
    });
  }

  async #once(model: ChatModel, request: ChatRequest, { hash, tools, earlier }: Sent): Promise<ModelReply> {
    const { purpose, signal } = request;
    const reply: ModelReply = { text: '', cut: false, usage: new ReportedUsage(), end: 'stop' };
    const words = new ThoughtText(purpose);
    const streamed = new StreamedCalls((name) => tools?.commandOf(name) ?? name);
    const watch = watchReply(request, hasFewParameters(model), earlier);
    const whole = new WholeReply(request.responseSchema);
    let repeated = null as RepeatedText | null;
    let added = '';
    const pieces: string[] = [];
    let end = null as FinishReason | null;
    let length = 0;
    signal.throwIfAborted();
    const { name: role, context } = this.#agent;
    context.onRequest?.(request, { role, model: model.id, promptHash: hash });
    const chunks =
      request.responseSchema === undefined ? model.chat(request) : untilWhole(model, request, whole);
    await readStream(chunks, signal, (chunk) => {
      switch (chunk.type) {
        case 'text-delta':
          pieces.push(chunk.text);
          whole.push(chunk.text);
          length += chunk.text.length;
          added = words.push(chunk.text);
          if (STREAMED.has(purpose)) this.#emitReply(purpose, chunk.text, added);
          repeated = watch.push(chunk.text, added);
          break;
        case 'tool-call': {
          const written = streamed.push(chunk);
          length += written.length;
          if (STREAMED.has(purpose)) this.#emitReply(purpose, written, '');
          repeated = watch.push(written, '');
          break;
        }
        case 'reasoning-delta':
          this.#agent.context.emit({
            type: 'reasoning-delta',
            role: this.#agent.name,
            purpose,
            text: chunk.text,
          });
          break;
        case 'usage':
          reply.usage.add(chunk);
          break;
        case 'progress':
          if (chunk.retryInMs === undefined) this.#emitProgress(chunk);
          else {
            const { loaded: attempt, total: attempts, text: reason, retryInMs: waitMs } = chunk;
            this.#retry(request, { attempt, attempts, waitMs, reason });
          }
          break;
        case 'finish':
          end = chunk.reason;
          break;
      }
      return length <= MAX_REPLY_CHARACTERS && repeated === null;
    });
    signal.throwIfAborted();
    if (STREAMED.has(purpose)) this.#emitReply(purpose, streamed.end(), words.end());
    const { calls } = streamed;
    if (calls.length > 0) reply.calls = calls;
    reply.text = pieces.join('').slice(0, MAX_REPLY_CHARACTERS);
    if (length > MAX_REPLY_CHARACTERS) end = 'length';
    const { lacks } = whole;
    if (lacks !== null && (lacks === '}' ? end !== 'content-filter' : end === null)) {
      // Nothing else could follow.
      reply.text = reply.text.trimEnd() + lacks;
      context.emit(wholeWithoutEnd(role, purpose));
      end = 'stop';
    } else if (repeated !== null) {
      // The rest would lead the model on to repeat itself.
      const rest = length - endToShow(repeated);
      const last = calls.at(-1);
      if (last === undefined) reply.text = reply.text.slice(0, Math.max(0, length - rest));
      else reply.calls = [...calls.slice(0, -1), { ...last, args: last.args.slice(0, -rest) }];
      reply.repeated = repeated;
      end = 'length';
    }
    if (end === null) throw brokenOff(model);
    if (end === 'content-filter') throw filtered(model, reply.text);
    reply.cut = end !== 'stop';
    reply.end = end;
    return reply;
  }

  #emitProgress(chunk: ProgressChunk): void {
    const { phase = 'loading', loaded, total, text, warning } = chunk;
    const context = this.#agent.context;
    context.emit({ type: 'model-progress', phase, loaded, total, text });
    if (warning !== undefined)
      context.emit({ type: 'warning', code: warning, message: text, detail: { role: this.#agent.name } });
  }
}

function requestOf(
  { supports }: ChatModel,
  { purpose, tools, apart, mayCall, responseSchema, temperature, reasoning }: Question,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
  maxOutputTokens: number,
): ChatRequest {
  const request: ChatRequest = { purpose, messages, signal, maxOutputTokens };
  if (tools !== undefined && apart !== true) {
    request.tools = tools.specs;
    request.toolChoice = mayCall === true ? 'auto' : 'none';
  }
  if (supports?.jsonSchema && responseSchema !== undefined) request.responseSchema = responseSchema;
  if (temperature !== undefined) request.temperature = temperature;
  if (reasoning !== undefined) request.reasoning = reasoning;
  return request;
}

/** The error of a reply without an end. Nothing proves that it is whole. */
function brokenOff({ id }: ChatModel): RoleZeroError {
  return new RoleZeroError('model-request', `The reply of ${id} broke off without an end.`, {
    kind: 'incomplete',
    model: id,
    retryable: true,
  });
}

/** The error of a reply that a content filter stopped. It quotes the reply, which may be a refusal with a reason. */
function filtered({ id }: ChatModel, text: string): RoleZeroError {
  const advice =
    'The same request is likely to be stopped again: word it differently, or choose another model.';
  const quote = text.trim() === '' ? '' : `The reply began: ${text.trim().slice(0, MAX_QUOTE)}`;
  const message = sentences(`A content filter stopped the reply of ${id}`, advice, quote);
  return new RoleZeroError('model-request', message, { kind: 'content-filter', model: id, retryable: false });
}

type AllowedOutput = Pick<OutputLimit, 'tokens' | 'from'>;

/** Returns the maximum tokens of a reply, and the option that sets them. */
function allowedOutput(question: Question, model: ChatModel): AllowedOutput {
  const limits: AllowedOutput[] = [
    { tokens: model.maxOutputTokens ?? MAX_OUTPUT_TOKENS, from: 'maxOutputTokens' },
    { tokens: model.contextWindow * REPLY_SHARE, from: 'contextWindow' },
    { tokens: question.maxOutputTokens ?? Infinity, from: 'caller' },
  ];
  return limits.reduce((least, limit) => (limit.tokens < least.tokens ? limit : least));
}

/** Returns what a model wrote for its calls, to count its tokens. */
function argumentsInText(calls: readonly ToolCall[] = []): string {
  return calls.map(({ name, args }) => name + args).join('');
}

function constant(content: string): Compose {
  return () => ({ content });
}
