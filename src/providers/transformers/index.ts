import { checkOptions, type OptionKind } from '../../core/check-options.js';
import { describe, RoleZeroError, sentences } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import type { ChatChunk, ChatModel, ChatRequest } from '../../core/model.js';
import { templateMessages } from '../chat-messages.js';
import { limitsOf } from '../local/defaults.js';
import { progressChunk, wholeMegabytes } from '../local/progress.js';
import { streamProgress, type Emit } from '../local/stream-progress.js';
import { CutAtStop, Thoughts } from '../local/thoughts.js';
import { CallQueue } from '../local/call-queue.js';

interface TransformersOptions {
  /** `import * as library from '@huggingface/transformers'`; your application installs it. */
  library: TransformersLibrary;
  /** Model with ONNX weights on the Hugging Face Hub, or at the location set in the library's `env`. */
  model: string;
  /** Options of its `pipeline`, such as `{ dtype: 'q4f16', device: 'webgpu' }`. */
  options?: Readonly<Record<string, unknown>>;
  /**
   * Context window in tokens, shared by prompt and reply.
   * @default 4_096
   */
  contextWindow?: number;
  /** Maximum number of tokens per reply. A request can only lower it. By default, a quarter of the window. */
  maxOutputTokens?: number;
  /**
   * Allows the model to think before it answers.
   * @default false
   */
  thinking?: boolean;
}

/** The part of `@huggingface/transformers` that is used: `import * as library` matches it. */
interface TransformersLibrary {
  pipeline(task: 'text-generation', model: string, options: object): Promise<TextGeneration>;
  TextStreamer: new (
    tokenizer: never,
    options: {
      skip_prompt: boolean;
      callback_function: (text: string) => void;
      token_callback_function: (tokens: bigint[]) => void;
    },
  ) => object;
  InterruptableStoppingCriteria: new () => { interrupt(): void };
}

/** A loaded model with its tokenizer. */
interface TextGeneration {
  (prompt: string, options: Record<string, unknown>): Promise<unknown>;
  readonly tokenizer: {
    apply_chat_template(messages: { role: string; content: string }[], options: object): unknown;
    encode(text: string, options: { add_special_tokens: boolean }): number[];
  };
  readonly model: { readonly generation_config: unknown };
  dispose(): Promise<unknown>;
}

/** A transformers.js model with methods to count tokens and unload it. */
interface TransformersModel extends ChatModel {
  /** Returns the exact number of tokens. Loads the model if necessary. */
  countTokens(text: string): Promise<number>;
  /** Frees the model's memory after all earlier calls. The next call loads it again. */
  unload(): Promise<void>;
  /** Number of running and waiting calls. */
  readonly calls: number;
}

/**
 * Creates a chat model that runs a text-generation model of transformers.js on the user's GPU or CPU. No data leaves the machine.
 *
 * The first call downloads the model and emits `progress` chunks; the library caches it in the browser. Several roles can share one model:
 * their calls are queued.
 *
 * It does not support schemas for replies or seeds, and processes every prompt from its start. With WebGPU, `webLLM` can do more; without
 * it, use `wllama`. An abort takes effect at the next token.
 *
 * Calls throw a RoleZeroError `model-load`, `context-overflow`, `model-request`, or `aborted`.
 *
 * @example
 * import * as library from '@huggingface/transformers';
 * transformers({ library, model: 'onnx-community/Qwen2.5-0.5B-Instruct', options: { dtype: 'q4f16', device: 'webgpu' } })
 * @throws RoleZeroError `invalid` for invalid token limits.
 */
export function transformers(options: TransformersOptions): TransformersModel {
  return new TransformersChatModel(options);
}

const TRANSFORMERS_OPTION_KINDS: Record<keyof TransformersOptions, OptionKind> = {
  library: true,
  model: 'text',
  options: true,
  contextWindow: true,
  maxOutputTokens: true,
  thinking: 'flag',
};

class TransformersChatModel implements TransformersModel {
  readonly #options: TransformersOptions;
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly supports = { jsonSchema: false, images: false, seed: false };
  readonly #queue = new CallQueue();
  #loaded: TextGeneration | null = null;

  constructor(options: TransformersOptions) {
    checkOptions('transformers()', options, TRANSFORMERS_OPTION_KINDS, ['library', 'model']);
    this.#options = options;
    this.id = `transformers/${options.model}`;
    const limits = limitsOf(options);
    this.contextWindow = limits.contextWindow;
    this.maxOutputTokens = limits.maxOutputTokens;
  }

  get calls(): number {
    return this.#queue.length;
  }

  chat(request: ChatRequest): AsyncIterable<ChatChunk> {
    return streamProgress<ChatChunk>(
      (emit, signal) =>
        this.#queue.take(
          () => this.#reply(request, emit, signal),
          signal,
          (before) =>
            emit(
              progressChunk(
                'waiting',
                0,
                before,
                `Waiting for ${this.#options.model}: ${before} before this.`,
              ),
            ),
        ),
      request.signal,
    );
  }

  async countTokens(text: string): Promise<number> {
    const neverAborted = new AbortController().signal;
    return this.#queue.take(
      async () => {
        const { tokenizer } = await this.#ready(() => undefined);
        return tokenizer.encode(text, { add_special_tokens: false }).length;
      },
      neverAborted,
      () => undefined,
    );
  }

  async unload(): Promise<void> {
    await this.#queue.take(
      () => this.#drop(),
      new AbortController().signal,
      () => undefined,
    );
  }

  async #ready(emit: Emit): Promise<TextGeneration> {
    if (this.#loaded !== null) return this.#loaded;
    const { library, model, options = {} } = this.#options;
    emit(progressChunk('loading', 0, 1, `Opening ${model}.`));
    try {
      this.#loaded = await library.pipeline('text-generation', model, {
        ...options,
        progress_callback: (report: unknown) => {
          const chunk = downloadChunk(report);
          if (chunk !== null) emit(chunk);
        },
      });
    } catch (error) {
      const message = `${model} could not be loaded: ${describe(error)}`;
      throw new RoleZeroError('model-load', message, { model, retryable: false }, error);
    }
    emit(progressChunk('loading', 1, 1, `${model} is ready.`));
    return this.#loaded;
  }

  async #reply(request: ChatRequest, emit: Emit, signal: AbortSignal): Promise<void> {
    const generate = await this.#ready(emit);
    signal.throwIfAborted();
    try {
      await this.#generate(generate, request, emit, signal);
    } catch (error) {
      if (error instanceof RoleZeroError) throw error;
      await this.#drop().catch(() => undefined); // its state is unknown after an error
      const message = sentences(
        `${this.#options.model} failed: ${describe(error)}`,
        'The next call loads it again.',
      );
      throw new RoleZeroError(
        'model-request',
        message,
        { model: this.#options.model, retryable: true },
        error,
      );
    }
  }

  async #generate(
    generate: TextGeneration,
    request: ChatRequest,
    emit: Emit,
    signal: AbortSignal,
  ): Promise<void> {
    const prompt = this.#prompt(generate, request);
    const room = this.contextWindow - prompt.tokens;
    if (room < 1) throw promptOverflow(prompt.tokens, this.contextWindow);
    const most = Math.min(request.maxOutputTokens ?? Infinity, this.maxOutputTokens, room);
    const reply = new ReplyStreamer(this.#options.library, generate.tokenizer, request.stop ?? [], emit);
    const interrupt = (): void => reply.interruption.interrupt();
    signal.addEventListener('abort', interrupt);
    try {
      await generate(prompt.text, {
        add_special_tokens: false, // the template adds them
        return_full_text: false,
        max_new_tokens: most,
        ...sampling(request.temperature),
        streamer: reply.streamer,
        stopping_criteria: reply.interruption,
      });
    } finally {
      signal.removeEventListener('abort', interrupt);
    }
    if (signal.aborted) return; // the caller no longer listens
    reply.end();
    emit({ type: 'usage', promptTokens: prompt.tokens, completionTokens: reply.tokens, costUsd: 0 });
    const isWhole =
      reply.isStopped || reply.tokens < most || endsOf(generate).includes(Number(reply.lastToken));
    emit({ type: 'finish', reason: isWhole ? 'stop' : 'length' });
  }

  #prompt({ tokenizer }: TextGeneration, { messages }: ChatRequest): { text: string; tokens: number } {
    const text = tokenizer.apply_chat_template(templateMessages(messages), {
      tokenize: false,
      add_generation_prompt: true,
      enable_thinking: this.#options.thinking ?? false,
    });
    if (typeof text !== 'string') throw new Error('Its chat template gave no text.');
    return { text, tokens: tokenizer.encode(text, { add_special_tokens: false }).length };
  }

  async #drop(): Promise<void> {
    const generate = this.#loaded;
    this.#loaded = null;
    await generate?.dispose();
  }
}

/** Emits a reply while the library generates it, and stops the library at a stop text. */
class ReplyStreamer {
  readonly streamer: object;
  readonly interruption: { interrupt(): void };
  /** Number of generated tokens. */
  tokens = 0;
  lastToken: bigint | undefined;
  readonly #thoughts = new Thoughts();
  readonly #cut: CutAtStop;
  readonly #emit: Emit;

  constructor(
    { TextStreamer, InterruptableStoppingCriteria }: TransformersOptions['library'],
    tokenizer: TextGeneration['tokenizer'],
    stop: readonly string[],
    emit: Emit,
  ) {
    this.#cut = new CutAtStop(stop);
    this.#emit = emit;
    const interruption = new InterruptableStoppingCriteria();
    this.interruption = interruption;
    this.streamer = new TextStreamer(tokenizer as never, {
      skip_prompt: true,
      token_callback_function: (tokens) => {
        this.tokens += tokens.length;
        this.lastToken = tokens.at(-1) ?? this.lastToken;
      },
      callback_function: (text) => {
        this.#say(this.#cut.add(text));
        if (this.#cut.isOver) interruption.interrupt();
      },
    });
  }

  /** True when a stop text ended the reply. */
  get isStopped(): boolean {
    return this.#cut.isOver;
  }

  /** Emits the text that was held back. */
  end(): void {
    this.#say(this.#cut.end());
    for (const piece of this.#thoughts.end('', 0)) this.#emit(piece);
  }

  #say(text: string): void {
    for (const piece of this.#thoughts.add(text)) this.#emit(piece);
  }
}

/** Returns the library's sampling options; none keep the model's own. */
function sampling(temperature: number | undefined): object {
  if (temperature === undefined) return {};
  return temperature > 0 ? { do_sample: true, temperature } : { do_sample: false };
}

/** Returns the ids of the tokens that end a reply. */
function endsOf({ model }: TextGeneration): number[] {
  const config = model.generation_config;
  const ends: unknown = isRecord(config) ? config['eos_token_id'] : undefined;
  return [ends].flat().filter((id) => typeof id === 'number');
}

/** Converts a downloadChunk report of the library to a chunk. Returns null for reports without progress. */
function downloadChunk(report: unknown): ChatChunk | null {
  if (!isRecord(report) || report['status'] !== 'progress') return null;
  const { file, loaded, total } = report;
  if (typeof loaded !== 'number' || typeof total !== 'number') return null;
  return progressChunk(
    'downloading',
    loaded,
    total,
    `Downloading ${String(file)}, ${wholeMegabytes(loaded)} of ${wholeMegabytes(total)} MB.`,
  );
}

function promptOverflow(promptTokens: number, contextWindow: number): RoleZeroError {
  const message = `The prompt of ${promptTokens} tokens does not fit the window of ${contextWindow}.`;
  return new RoleZeroError('context-overflow', message, { promptTokens, contextWindow });
}
