import { checkOptions, type OptionKind } from '../../core/check-options.js';
import { defined } from '../../core/defined.js';
import { finishReason } from '../../core/finish-reason.js';
import type {
  ChatChunk,
  ChatMessage,
  ChatModel,
  ChatRequest,
  ModelPhase,
  ProgressChunk,
} from '../../core/model.js';
import { trimmedSchema } from '../local/grammar-schema.js';
import { limitsOf } from '../local/limits.js';
import { readingSpeed, threadsHere } from '../local/processor-speed.js';
import { pieceSize, readingProgress } from '../local/reading-progress.js';
import { Thoughts } from '../local/thoughts.js';
import { streamProgress } from '../local/stream-progress.js';
import { LOCAL_TEMPERATURE } from '../local/temperature.js';
import { Turns } from '../local/turns.js';
import { templateMessages } from '../text-only.js';
import type { CompletionCall, CompletionChunk, WllamaEngine } from './engine.js';
import { chatFault, loadFault } from './errors.js';
import type { WllamaOptions } from './options.js';

type Tell = (chunk: ChatChunk) => void;
type TellProgress = (chunk: ProgressChunk) => void;

/** A wllama model with methods to load, unload, and inspect it. */
export interface WllamaModel extends ChatModel {
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
  return new OnProcessor(options);
}

const OPTION_KINDS: Record<keyof WllamaOptions, OptionKind> = {
  engine: 'callback',
  model: true,
  name: 'text',
  contextWindow: true,
  maxOutputTokens: true,
  thinking: 'flag',
  load: true,
};

class OnProcessor implements WllamaModel {
  readonly #options: WllamaOptions;
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly supports = { jsonSchema: true, images: false, seed: true };
  readonly #name: string;
  readonly #turns = new Turns();
  #loaded: WllamaEngine | null = null;

  constructor(options: WllamaOptions) {
    checkOptions('wllama()', options, OPTION_KINDS, ['engine', 'model']);
    this.#options = options;
    const { model, name } = options;
    this.#name = name ?? (typeof model === 'string' ? fileName(model) : 'local file');
    this.id = `wllama/${this.#name}`;
    const limits = limitsOf(options);
    this.contextWindow = limits.contextWindow;
    this.maxOutputTokens = limits.maxOutputTokens;
  }

  get calls(): number {
    return this.#turns.length;
  }

  chat(request: ChatRequest): AsyncIterable<ChatChunk> {
    return streamProgress<ChatChunk>(
      (tell, signal) => this.#inTurn(tell, signal, async () => this.#reply(request, tell, signal)),
      request.signal,
    );
  }

  download(signal = new AbortController().signal): AsyncIterable<ProgressChunk> {
    return streamProgress<ProgressChunk>(async (tell, stop) => {
      const engine = this.#loaded ?? this.#options.engine();
      await this.#files(engine, tell, stop).catch((error: unknown) => {
        throw loadFault(error, this.#name, stop);
      });
    }, signal);
  }

  prepare(messages: readonly ChatMessage[], signal: AbortSignal): AsyncIterable<ProgressChunk> {
    return streamProgress<ProgressChunk>(
      (tell, stop) =>
        this.#inTurn(tell, stop, async () => {
          const engine = await this.#ready(tell, stop);
          // Templates of some models need a message of the user. It differs from the next one only after its beginning.
          const started = messages.concat({ role: 'user', content: '' });
          const call = this.#call({ purpose: 'other', messages: started, signal: stop, maxOutputTokens: 1 });
          await this.#complete(engine, { ...call, onData: tellReading(tell) }, stop);
        }),
      signal,
    );
  }

  load(signal = new AbortController().signal): AsyncIterable<ProgressChunk> {
    return streamProgress<ProgressChunk>(
      (tell, stop) =>
        this.#inTurn(tell, stop, async () => {
          await this.#ready(tell, stop);
        }),
      signal,
    );
  }

  async unload(): Promise<void> {
    await this.#turns.take(
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

  #inTurn(tell: TellProgress, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    return this.#turns.take(work, signal, (before) => {
      const calls = before === 1 ? '1 call is' : `${before} calls are`;
      tell(progress('waiting', 0, before, `Waiting for ${this.#name}: ${calls} before this one.`));
    });
  }

  async #ready(tell: TellProgress, signal: AbortSignal): Promise<WllamaEngine> {
    if (this.#loaded !== null) return this.#loaded;
    const name = this.#name;
    const engine = this.#options.engine();
    try {
      const files = await this.#files(engine, tell, signal);
      tell(progress('loading', 0, 1, `Loading ${name}.`));
      await engine.loadModel(files, this.#loadOptions(files));
      signal.throwIfAborted();
      // The engine accepts unreadable files without an error.
      if (!(engine.getLoadedContextInfo().n_vocab > 0))
        throw new Error('It is no GGUF file that llama.cpp can run.');
    } catch (error) {
      await engine.exit().catch(() => undefined); // frees partial state; the original error is thrown below
      throw loadFault(error, name, signal);
    }
    tell(progress('loading', 1, 1, `${name} is ready on the processor.`));
    this.#loaded = engine;
    return engine;
  }

  /** The file of the model, and its other parts if it is split; downloaded if necessary. */
  async #files(engine: WllamaEngine, tell: TellProgress, signal: AbortSignal): Promise<Blob[]> {
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
          const of = total > 0 ? ` of ${megabytes(total)}` : '';
          tell(progress('downloading', loaded, total, `Downloading ${name}, ${megabytes(loaded)}${of} MB.`));
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

  async #reply(request: ChatRequest, tell: Tell, signal: AbortSignal): Promise<void> {
    const engine = await this.#ready(tell, signal);
    const thoughts = new Thoughts();
    const ends: Extract<ChatChunk, { type: 'finish' }>[] = [];
    const onRead = tellReading(tell);
    const onData = (chunk: CompletionChunk): void => {
      onRead(chunk);
      const {
        choices: [choice],
        usage,
        timings,
      } = chunk;
      for (const piece of thoughts.add(choice?.delta.content ?? '')) tell(piece);
      const reason = finishReason(choice?.finish_reason);
      if (reason !== null && reason !== 'failure') ends.push({ type: 'finish', reason });
      if (usage == null) return;
      for (const piece of thoughts.end('', 0)) tell(piece);
      tell({
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
    for (const finish of ends) tell(finish); // after the usage, which the engine reports last
  }

  async #complete(engine: WllamaEngine, call: CompletionCall, signal: AbortSignal): Promise<void> {
    try {
      await engine.createChatCompletion({ ...call, abortSignal: signal });
    } catch (caught) {
      if (signal.aborted) throw caught; // the caller no longer listens, and the engine is free again
      const error = chatFault(caught, this.#name, this.contextWindow);
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
function tellReading(tell: TellProgress): (chunk: CompletionChunk) => void {
  const progressOf = readingProgress();
  tell(progress('reading', 0, 0, 'Reading the prompt.'));
  return ({ prompt_progress: read }) => {
    const chunk = read && progressOf(read);
    if (chunk) tell(chunk);
  };
}

function progress(phase: ModelPhase, loaded: number, total: number, text: string): ProgressChunk {
  return { type: 'progress', phase, loaded, total, text };
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}

function fileName(url: string): string {
  return /([^/]+?)(-00001-of-\d+)?\.gguf(\?|#|$)/.exec(url)?.[1] ?? url;
}
