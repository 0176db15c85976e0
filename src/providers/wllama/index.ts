import { checkOptions, type OptionKind } from '../../core/check-options.js';
import { defined } from '../../core/defined.js';
import { describe, RoleZeroError, sentences, stoppedError } from '../../core/error.js';
import { finishReason } from '../../core/finish-reason.js';
import type { ChatChunk, ChatMessage, ChatModel, ChatRequest, ProgressChunk } from '../../core/model.js';
import { templateMessages } from '../chat-messages.js';
import { limitsOf, LOCAL_TEMPERATURE } from '../local/defaults.js';
import { trimmedSchema } from '../local/grammar-schema.js';
import {
  pieceSize,
  progressChunk,
  readingProgress,
  readingSpeed,
  threadsHere,
  wholeMegabytes,
} from '../local/progress.js';
import { streamProgress, type Emit } from '../local/stream-progress.js';
import { Thoughts } from '../local/thoughts.js';
import { CallQueue } from '../local/call-queue.js';
import type { CompletionCall, CompletionChunk, WllamaEngine } from './engine.js';

export { readingSpeed } from '../local/progress.js';

/** Options of a wllama model. */
interface WllamaOptions {
  /**
   * Creates the engine: `() => new Wllama({ default: wasmURL })`. Called when the model is first needed, and again after an unload or a
   * failure. Your application installs `@wllama/wllama` and provides the URL of its `wllama.wasm`.
   */
  engine: () => WllamaEngine;
  /** URL of a GGUF file (of the first one when the model is split), or the files themselves. */
  model: string | readonly Blob[];
  /** Name in events and errors. By default, the file name. */
  name?: string;
  /**
   * Context window in tokens, shared by prompt and reply. A larger window needs more memory.
   * @default 4_096
   */
  contextWindow?: number;
  /** Maximum number of tokens per reply. A request can only lower it. By default, a quarter of the window. */
  maxOutputTokens?: number;
  /**
   * Allows the model to think before it answers. On a CPU, thinking takes minutes. Replies with a schema never include thinking.
   * @default false
   */
  thinking?: boolean;
  /** Additional load options, such as `{ n_threads: 4 }`; see `LoadModelParams` of wllama. */
  load?: Readonly<Record<string, unknown>>;
}

/** A wllama model with methods to load, unload, and inspect it. */
interface WllamaModel extends ChatModel {
  /** Downloads the file without loading it, and yields its progress; nothing when it is cached. */
  download(signal?: AbortSignal): AsyncIterable<ProgressChunk>;
  /** Downloads and loads the model now instead of with the first call, and yields its progress. */
  load(signal?: AbortSignal): AsyncIterable<ProgressChunk>;
  /** Frees the model's memory after all earlier calls. The next call loads it again. */
  unload(): Promise<void>;
  /** Returns true when its file is cached in the browser, so that it loads without a network. */
  isDownloaded(): Promise<boolean>;
  /** Number of running and waiting calls. */
  readonly calls: number;
}

/**
 * Creates a chat model that runs on the user's CPU with llama.cpp in WebAssembly (wllama). It is slow but works without a GPU. No data
 * leaves the machine.
 *
 * The first call downloads the file (hundreds of megabytes, so ask the user first) and emits `progress` chunks. The file is cached and
 * later loads without a network. A cross-origin isolated page uses all its cores. A prompt is read in pieces of about a second, each with a
 * `progress` chunk that says how long the rest takes.
 * Several roles can share one model: their calls are queued.
 *
 * The prefix that a prompt shares with the previous one is not processed again: see `cachedPromptTokens`. `responseSchema` is enforced with
 * a grammar during generation. An abort takes effect at the next token or the next piece of the prompt.
 *
 * Calls throw a RoleZeroError `model-load` (`detail.kind`: `download`, `storage-full`, `out-of-memory`, `engine`), `context-overflow`,
 * `model-request`, or `aborted`.
 *
 * @example
 * import { Wllama } from '@wllama/wllama/esm/index.js';
 * import wasm from '@wllama/wllama/esm/wasm/wllama.wasm?url';
 * wllama({ engine: () => new Wllama({ default: wasm }), model: 'https://example.com/qwen2.5-1.5b-instruct-q4_k_m.gguf' })
 * @throws RoleZeroError `invalid` for invalid token limits.
 */
export function wllama(options: WllamaOptions): WllamaModel {
  return new WllamaChatModel(options);
}

const WLLAMA_OPTION_KINDS: Record<keyof WllamaOptions, OptionKind> = {
  engine: 'callback',
  model: true,
  name: 'text',
  contextWindow: true,
  maxOutputTokens: true,
  thinking: 'flag',
  load: true,
};

class WllamaChatModel implements WllamaModel {
  readonly #options: WllamaOptions;
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly supports = { jsonSchema: true, images: false, seed: true };
  readonly #name: string;
  readonly #queue = new CallQueue();
  #loaded: WllamaEngine | null = null;

  constructor(options: WllamaOptions) {
    checkOptions('wllama()', options, WLLAMA_OPTION_KINDS, ['engine', 'model']);
    this.#options = options;
    const { model, name } = options;
    this.#name = name ?? (typeof model === 'string' ? fileName(model) : 'local file');
    this.id = `wllama/${this.#name}`;
    const limits = limitsOf(options);
    this.contextWindow = limits.contextWindow;
    this.maxOutputTokens = limits.maxOutputTokens;
  }

  get calls(): number {
    return this.#queue.length;
  }

  chat(request: ChatRequest): AsyncIterable<ChatChunk> {
    return streamProgress<ChatChunk>(
      (emit, signal) => this.#inTurn(emit, signal, async () => this.#reply(request, emit, signal)),
      request.signal,
    );
  }

  download(signal = new AbortController().signal): AsyncIterable<ProgressChunk> {
    return streamProgress<ProgressChunk>(async (emit, stop) => {
      const engine = this.#loaded ?? this.#options.engine();
      await this.#files(engine, emit, stop).catch((error: unknown) => {
        throw toLoadError(error, this.#name, stop);
      });
    }, signal);
  }

  prepare(messages: readonly ChatMessage[], signal: AbortSignal): AsyncIterable<ProgressChunk> {
    return streamProgress<ProgressChunk>(
      (emit, stop) =>
        this.#inTurn(emit, stop, async () => {
          const engine = await this.#ready(emit, stop);
          // Templates of some models need a message of the user. It differs from the next one only after its beginning.
          const started = messages.concat({ role: 'user', content: '' });
          const call = this.#call({ purpose: 'other', messages: started, signal: stop, maxOutputTokens: 1 });
          await this.#complete(engine, { ...call, onData: reportReading(emit) }, stop);
        }),
      signal,
    );
  }

  load(signal = new AbortController().signal): AsyncIterable<ProgressChunk> {
    return streamProgress<ProgressChunk>(
      (emit, stop) =>
        this.#inTurn(emit, stop, async () => {
          await this.#ready(emit, stop);
        }),
      signal,
    );
  }

  async unload(): Promise<void> {
    await this.#queue.take(
      () => this.#drop(),
      new AbortController().signal,
      () => undefined,
    );
  }

  async isDownloaded(): Promise<boolean> {
    const { model, engine } = this.#options;
    if (typeof model !== 'string') return true;
    const cached = await (this.#loaded ?? engine()).modelManager.getModels();
    return cached.some(({ url }) => url === model);
  }

  #inTurn(emit: Emit<ProgressChunk>, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    return this.#queue.take(work, signal, (before) => {
      const calls = before === 1 ? '1 call is' : `${before} calls are`;
      emit(progressChunk('waiting', 0, before, `Waiting for ${this.#name}: ${calls} before this one.`));
    });
  }

  async #ready(emit: Emit<ProgressChunk>, signal: AbortSignal): Promise<WllamaEngine> {
    if (this.#loaded !== null) return this.#loaded;
    const name = this.#name;
    const engine = this.#options.engine();
    try {
      const files = await this.#files(engine, emit, signal);
      emit(progressChunk('loading', 0, 1, `Loading ${name}.`));
      await engine.loadModel(files, this.#loadOptions(files));
      signal.throwIfAborted();
      // The engine accepts unreadable files without an error.
      if (!(engine.getLoadedContextInfo().n_vocab > 0))
        throw new Error('It is no GGUF file that llama.cpp can run.');
    } catch (error) {
      await engine.exit().catch(() => undefined); // frees partial state; the original error is thrown below
      throw toLoadError(error, name, signal);
    }
    emit(progressChunk('loading', 1, 1, `${name} is ready on the processor.`));
    this.#loaded = engine;
    return engine;
  }

  /** The file of the model, and its other parts if it is split; downloaded if necessary. */
  async #files(engine: WllamaEngine, emit: Emit<ProgressChunk>, signal: AbortSignal): Promise<Blob[]> {
    const { model } = this.#options;
    if (typeof model !== 'string') return [...model];
    const { modelManager } = engine;
    const stored = (await modelManager.getModels()).find(({ url }) => url === model);
    if (stored !== undefined) return stored.open();
    const name = this.#name;
    const downloaded = await modelManager.downloadModel(
      { url: model },
      {
        signal,
        progressCallback: ({ loaded, total }) => {
          const of = total > 0 ? ` of ${wholeMegabytes(total)}` : '';
          emit(
            progressChunk(
              'downloading',
              loaded,
              total,
              `Downloading ${name}, ${wholeMegabytes(loaded)}${of} MB.`,
            ),
          );
        },
      },
    );
    return downloaded.open();
  }

  #loadOptions(files: readonly Blob[]): NonNullable<Parameters<WllamaEngine['loadModel']>[1]> {
    const threads = threadsHere();
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const piece = pieceSize(readingSpeed(bytes, threads));
    // A single slot, so that one conversation can use the whole window.
    const ours = { n_parallel: 1, n_threads: threads, n_batch: piece, n_ubatch: piece };
    return { ...ours, ...this.#options.load, n_ctx: this.contextWindow };
  }

  async #reply(request: ChatRequest, emit: Emit, signal: AbortSignal): Promise<void> {
    const engine = await this.#ready(emit, signal);
    const thoughts = new Thoughts();
    const ends: Extract<ChatChunk, { type: 'finish' }>[] = [];
    const onRead = reportReading(emit);
    const onData = (chunk: CompletionChunk): void => {
      onRead(chunk);
      const {
        choices: [choice],
        usage,
        timings,
      } = chunk;
      for (const piece of thoughts.add(choice?.delta.content ?? '')) emit(piece);
      const reason = finishReason(choice?.finish_reason);
      if (reason !== null && reason !== 'failure') ends.push({ type: 'finish', reason });
      if (usage == null) return;
      for (const piece of thoughts.end('', 0)) emit(piece);
      emit({
        type: 'usage',
        promptTokens: usage.prompt_tokens,
        completionTokens: usage.completion_tokens,
        cachedPromptTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
        costUsd: 0,
        rates: {
          promptTokensPerSecond: timings?.prompt_per_second ?? 0,
          completionTokensPerSecond: timings?.predicted_per_second ?? 0,
        },
      });
    };
    await this.#complete(engine, { ...this.#call(request), onData }, signal);
    for (const finish of ends) emit(finish); // after the usage, which the engine reports last
  }

  async #complete(engine: WllamaEngine, call: CompletionCall, signal: AbortSignal): Promise<void> {
    try {
      await engine.createChatCompletion({ ...call, abortSignal: signal });
    } catch (caught) {
      if (signal.aborted) throw caught; // the caller no longer listens, and the engine is free again
      const error = toChatError(caught, this.#name, this.contextWindow);
      if (error.code !== 'context-overflow') await this.#drop().catch(() => undefined); // its state is unknown after an error
      throw error;
    }
  }

  #call(request: ChatRequest): Omit<CompletionCall, 'onData'> {
    const { messages, temperature, seed, stop, responseSchema } = request;
    return {
      messages: templateMessages(messages),
      stream: true,
      // Without a limit, a model may repeat white space or a word until its window is full.
      max_tokens: Math.min(request.maxOutputTokens ?? Infinity, this.maxOutputTokens),
      return_progress: true,
      chat_template_kwargs: { enable_thinking: this.#options.thinking ?? false },
      ...defined({
        temperature: temperature ?? LOCAL_TEMPERATURE,
        seed,
        stop: stop?.length ? stop : undefined,
        response_format: responseSchema && {
          type: 'json_schema' as const,
          json_schema: { name: 'reply', schema: trimmedSchema(responseSchema) },
        },
      }),
      // Options of llama.cpp's server that are missing in wllama's types.
      ...{ stream_options: { include_usage: true }, reasoning_format: 'none' },
    };
  }

  async #drop(): Promise<void> {
    const engine = this.#loaded;
    this.#loaded = null;
    await engine?.exit();
  }
}

/** Returns a function that reports how far the prompt is read. */
function reportReading(emit: Emit<ProgressChunk>): (chunk: CompletionChunk) => void {
  const progressOf = readingProgress();
  emit(progressChunk('reading', 0, 0, 'Reading the prompt.'));
  return ({ prompt_progress: read }) => {
    const chunk = read && progressOf(read);
    if (chunk) emit(chunk);
  };
}

function fileName(url: string): string {
  return /([^/]+?)(-00001-of-\d+)?\.gguf(\?|#|$)/.exec(url)?.[1] ?? url;
}

/** Converts an error during loading. */
function toLoadError(error: unknown, model: string, signal: AbortSignal): RoleZeroError {
  if (error instanceof RoleZeroError) return error;
  if (signal.aborted) return stoppedError(signal);
  const reason = describe(error);
  const name = error instanceof Error ? error.name : '';
  const fault = (kind: string, message: string, retryable: boolean) =>
    new RoleZeroError('model-load', message, { kind, model, retryable }, error);
  if (name === 'QuotaExceededError' || /quota/i.test(reason))
    return fault('storage-full', `Cannot store ${model}: the browser's storage is full.`, false);
  if (/out of memory|memory access|allocat/i.test(reason))
    return fault(
      'out-of-memory',
      sentences(
        `${model} does not fit into the memory of this tab: ${reason}`,
        'Use a smaller model, or a smaller contextWindow.',
      ),
      false,
    );
  if (name === 'NetworkError' || /fetch|network/i.test(reason))
    return fault('download', `${model} could not be downloaded: ${reason}`, true);
  return fault('engine', `${model} could not be loaded: ${reason}`, false);
}

/** Converts an error during a call. */
function toChatError(error: unknown, model: string, contextWindow: number): RoleZeroError {
  if (error instanceof RoleZeroError) return error;
  const reason = describe(error);
  const tokens = /\((\d+) tokens\) exceeds the available context/.exec(reason)?.[1];
  if (tokens !== undefined) {
    const message = `The prompt of ${tokens} tokens does not fit the window of ${contextWindow} that ${model} was loaded with.`;
    return new RoleZeroError(
      'context-overflow',
      message,
      { promptTokens: Number(tokens), contextWindow },
      error,
    );
  }
  return new RoleZeroError(
    'model-request',
    sentences(`${model} failed: ${reason}`, 'The next call loads it again.'),
    { kind: 'engine', model, retryable: true },
    error,
  );
}
