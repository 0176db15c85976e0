import { defined } from '../../core/defined.js';
import { describe, RoleZeroError, stoppedError, throwIfStopped } from '../../core/error.js';
import type { ChatChunk, ChatMessage, ChatModel, ChatRequest } from '../../core/model.js';
import { textOnly } from '../chat-messages.js';
import { ChunkQueue } from '../local/stream-progress.js';
import { queued } from '../queued/index.js';
import {
  measure,
  usageOf,
  sessionWindow,
  type CoreOptions,
  type CreateOptions,
  type LanguageModelFactory,
  type LanguageModelSession,
  type Prompt,
  type PromptOptions,
  type SamplingMode,
} from './language-model.js';

export interface ChromeOptions {
  /** Default: the global `LanguageModel`. */
  languageModel?: LanguageModelFactory;
  /**
   * Context window in tokens, shared by prompt and reply. The browser reports it only for an existing session: see `prepareChrome`.
   * @default 4_096
   */
  contextWindow?: number;
  /** Languages of the conversation, such as `['en', 'ja']`. Without them, the browser expects English and logs a console message. */
  languages?: readonly string[];
  /** Randomness of replies, for all calls: the browser sets it per session, not per call. */
  samplingMode?: SamplingMode;
  /** Numeric alternative to `samplingMode`, which cannot be combined with it. The browser accepts it from extensions and in trials only. */
  temperature?: number;
  topK?: number;
}

/**
 * Returns the availability of Chrome's built-in model with these options, as reported by the browser. Returns `absent` when the API does
 * not exist. Never rejects.
 */
export async function chromeAvailability(
  languageModel = globalLanguageModel(),
  options: Omit<ChromeOptions, 'languageModel' | 'contextWindow'> = {},
): Promise<'absent' | 'unavailable' | 'downloadable' | 'downloading' | 'available'> {
  try {
    const availability = await languageModel?.availability(coreOptions(options));
    return availability === 'downloadable' ||
      availability === 'downloading' ||
      availability === 'available' ||
      availability === 'unavailable'
      ? availability
      : 'absent';
  } catch {
    return 'unavailable';
  }
}

/**
 * Starts Chrome's built-in model, so that the first call finds it ready, and returns its context window. If the model must be downloaded,
 * the browser requires a call from a click handler. Works on pages only.
 *
 * @example
 * const { contextWindow } = await prepareChrome({ onProgress: (share) => show(share) });
 * connect(worker, { models: { chrome: chrome({ contextWindow }) } });
 * @throws RoleZeroError `model-load` when there is no model or its download is not permitted; `aborted`.
 */
export async function prepareChrome({
  signal = new AbortController().signal,
  onProgress,
  ...options
}: Omit<ChromeOptions, 'contextWindow'> & {
  signal?: AbortSignal;
  /** Called with the completed share of the download, 0 to 1. */
  onProgress?: (share: number) => void;
} = {}): Promise<{ contextWindow: number }> {
  try {
    const session = await createSession(options, { signal }, ({ loaded, total }) =>
      onProgress?.(loaded / total),
    );
    const contextWindow = sessionWindow(session);
    session.destroy();
    return { contextWindow: Number.isFinite(contextWindow) ? contextWindow : UNBOUNDED };
  } catch (error) {
    throw browserFault(error, signal, 'create');
  }
}

/** Context window in tokens that replaces an unlimited one. */
const UNBOUNDED = 131_072;

/**
 * Creates a chat model for Chrome's built-in language model (the Prompt API, `LanguageModel`).
 *
 * A browser session is reused across calls: a message that continues the conversation is appended, any other conversation starts a new
 * session. Calls are queued, one at a time. Replies can be constrained by a JSON Schema.
 *
 * The browser counts tokens and drops old messages when its window is full; here such a prompt throws `context-overflow` instead. Seeds,
 * stop strings, and output limits are not supported.
 *
 * Calls throw a RoleZeroError `model-load` (there is no model, or it must be downloaded after a click), `context-overflow`,
 * `model-request`, or `aborted`.
 *
 * @example failover(chrome(), openai({ … }))
 */
export function chrome(options: ChromeOptions = {}): ChatModel {
  const engine = new ChromeModel(options);
  return queued({
    id: 'chrome/built-in',
    contextWindow: options.contextWindow ?? 4_096,
    supports: { jsonSchema: true, images: false, seed: false },
    chat: (request) => engine.chat(request),
  });
}

/** A session and its conversation so far. */
interface Open {
  session: LanguageModelSession;
  history: Prompt[];
}

class ChromeModel {
  readonly #options: ChromeOptions;
  #open: Open | null = null;

  constructor(options: ChromeOptions) {
    this.#options = options;
  }

  async *chat(request: ChatRequest): AsyncGenerator<ChatChunk, void> {
    const { signal } = request;
    const prompts = request.messages.map(promptOf);
    const last = prompts.at(-1);
    if (last === undefined)
      throw new RoleZeroError('invalid', 'There is nothing to answer: messages is empty.');
    const options = promptOptions(request);
    const reused = this.#take(prompts);
    const notes = new ChunkQueue<ChatChunk>();
    const opening = reused
      ? this.#lengthen(reused, prompts, signal)
      : notes.until(this.#begin(prompts.slice(0, -1), signal, notes));
    let session = reused?.session ?? null;
    let whole = false;
    try {
      if (reused === null) for await (const chunk of notes) yield chunk;
      session = await opening;
      const before = usageOf(session);
      const taken = await measure(session, [last], options);
      if (before + taken > sessionWindow(session))
        throw sessionOverflow(before + taken, sessionWindow(session));
      const text = yield* streamText(session.promptStreaming([last], options), signal);
      whole = true;
      this.#open = { session, history: [...prompts, { role: 'assistant', content: text }] };
      yield {
        type: 'usage',
        promptTokens: before + taken,
        completionTokens: Math.max(0, usageOf(session) - before - taken),
        costUsd: 0,
        ...defined({ cachedPromptTokens: reused ? before : undefined }),
      };
      yield { type: 'finish', reason: 'stop' };
    } catch (error) {
      throw browserFault(error, signal, session === null ? 'create' : 'prompt');
    } finally {
      if (!whole) session?.destroy();
    }
  }

  /** Takes the open session if the prompts continue its conversation, else destroys it. If the call fails, its state is unknown. */
  #take(prompts: readonly Prompt[]): Open | null {
    const open = this.#open;
    this.#open = null;
    if (open !== null && continuesConversation(prompts, open.history)) return open;
    open?.session.destroy();
    return null;
  }

  /** Appends all new messages except the last, which is sent as the prompt. */
  async #lengthen(
    { session, history }: Open,
    prompts: Prompt[],
    signal: AbortSignal,
  ): Promise<LanguageModelSession> {
    const more = prompts.slice(history.length, -1);
    if (more.length > 0) await session.append(more, { signal });
    return session;
  }

  async #begin(
    initialPrompts: Prompt[],
    signal: AbortSignal,
    notes: ChunkQueue<ChatChunk>,
  ): Promise<LanguageModelSession> {
    const text = 'The browser downloads its model.';
    return createSession(this.#options, { initialPrompts, signal }, (progress) =>
      notes.add({ type: 'progress', phase: 'downloading', ...progress, text }),
    );
  }
}

/** @throws RoleZeroError `model-load` when the browser has no model, and any error of the browser. */
async function createSession(
  options: ChromeOptions,
  own: Pick<CreateOptions, 'initialPrompts' | 'signal'>,
  report: (progress: { loaded: number; total: number }) => void,
): Promise<LanguageModelSession> {
  const factory = options.languageModel ?? globalLanguageModel();
  if (factory === undefined) throw absent(null);
  const core = coreOptions(options);
  const availability = await factory.availability(core);
  if (availability === 'unavailable') throw absent(availability);
  return factory.create({
    ...core,
    ...own,
    monitor(monitor) {
      monitor.addEventListener('downloadprogress', (event) => {
        const { loaded = 0, total = 1 } = event as unknown as { loaded?: number; total?: number };
        report({ loaded, total: total || 1 });
      });
    },
  });
}

/** Returns the session options that also determine the availability of a model. */
function coreOptions({ languages, samplingMode, temperature, topK }: ChromeOptions): CoreOptions {
  const expected = languages && [{ type: 'text' as const, languages: [...languages] }];
  return defined({
    samplingMode,
    temperature,
    topK,
    expectedInputs: expected,
    expectedOutputs: expected,
  });
}

function promptOptions({ signal, responseSchema }: ChatRequest): PromptOptions {
  if (responseSchema === undefined) return { signal };
  return { signal, responseConstraint: responseSchema, omitResponseConstraintInput: true };
}

/** Emits a reply and returns its text. */
async function* streamText(
  stream: ReadableStream<string>,
  signal: AbortSignal,
): AsyncGenerator<ChatChunk, string> {
  let text = '';
  for await (const piece of pieces(stream)) {
    if (piece === '') continue;
    text += piece;
    yield { type: 'text-delta', text: piece };
    throwIfStopped(signal);
  }
  return text;
}

/** Iterates over a stream, because some browsers do not support `for await` on streams. Cancels the stream on early exit. */
async function* pieces(stream: ReadableStream<string>): AsyncGenerator<string, void> {
  const reader = stream.getReader();
  let done = false;
  try {
    for (;;) {
      const next = await reader.read();
      done = next.done;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    if (!done) reader.cancel().catch(() => undefined); // the original error is already thrown
  }
}

/** Returns true when the prompts start with the given conversation and continue it. */
function continuesConversation(prompts: readonly Prompt[], history: readonly Prompt[]): boolean {
  return (
    prompts.length > history.length &&
    history.every(({ role, content }, at) => prompts[at]?.role === role && prompts[at].content === content)
  );
}

function promptOf({ role, content }: ChatMessage): Prompt {
  return { role: role === 'tool' ? 'user' : role, content: textOnly(content) };
}

function sessionOverflow(tokens: number, window: number): RoleZeroError {
  const message = `The prompt of ${tokens} tokens does not fit the ${window} of the browser's model. Set contextWindow to that.`;
  return new RoleZeroError('context-overflow', message, { tokens, contextWindow: window });
}

function globalLanguageModel(): LanguageModelFactory | undefined {
  return (globalThis as { LanguageModel?: LanguageModelFactory }).LanguageModel;
}

/** Converts an error of the browser. `during` distinguishes a failed start from a failed call. */
function browserFault(error: unknown, signal: AbortSignal, during: 'create' | 'prompt'): RoleZeroError {
  if (error instanceof RoleZeroError) return error;
  if (signal.aborted) return stoppedError(signal);
  const name = error instanceof Error ? error.name : '';
  const detail = { name, retryable: false, ...quotaOf(error) };
  const reason = describe(error);
  switch (name) {
    case 'QuotaExceededError':
      return new RoleZeroError(
        'context-overflow',
        `The prompt does not fit the browser's model: ${reason}`,
        detail,
        error,
      );
    case 'NotAllowedError':
      return new RoleZeroError(
        'model-load',
        `The browser does not let this page use its model yet: a download has to begin with a click. Call prepareChrome from a button first. It reported: ${reason}`,
        detail,
        error,
      );
    case 'NotSupportedError':
      return new RoleZeroError(
        'model-request',
        `The browser's model cannot do what was asked: ${reason}`,
        detail,
        error,
      );
    default:
      return during === 'create'
        ? new RoleZeroError('model-load', `The browser could not start its model: ${reason}`, detail, error)
        : new RoleZeroError(
            'model-request',
            `The browser's model broke off: ${reason}`,
            { ...detail, retryable: true },
            error,
          );
  }
}

/** Returns the token numbers that newer browsers report for a prompt that is too long. */
function quotaOf(error: unknown): { tokens?: number; contextWindow?: number } {
  if (typeof error !== 'object' || error === null) return {};
  const { requested, quota } = error as { requested?: unknown; quota?: unknown };
  return defined({
    tokens: typeof requested === 'number' ? requested : undefined,
    contextWindow: typeof quota === 'number' ? quota : undefined,
  });
}

/** Creates the error for a browser without a model, or without one for this page. */
function absent(availability: string | null): RoleZeroError {
  const message =
    availability === null
      ? 'This place has no built-in language model: Chrome offers LanguageModel on pages of desktop Chrome 148 and later, not in workers. Run the role where it is, or use another model: webLLM, wllama, or openai with a local server.'
      : `Chrome says that its built-in language model is "${availability}" here: it needs a desktop computer with 22 GB of free disk and 4 GB of video memory (or 16 GB of memory), and no policy against it. See chrome://on-device-internals, or use another model.`;
  return new RoleZeroError('model-load', message, { availability, retryable: false });
}
