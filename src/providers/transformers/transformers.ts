import { describe, RoleZeroError } from '../../base/error.js';
import { sentences } from '../../base/sentences.js';
import { isRecord } from '../../base/json.js';
import type { ChatChunk, ChatModel, ChatRequest } from '../../base/model.js';
import { CutAtStop } from '../local/cut-at-stop.js';
import { limitsOf } from '../local/limits.js';
import { Thoughts } from '../local/thoughts.js';
import { toldWhile } from '../local/told-while.js';
import { Turns } from '../local/turns.js';
import { templateMessages } from '../text-only.js';
import type { TextGeneration } from './library.js';
import type { TransformersOptions } from './options.js';

type Tell = (chunk: ChatChunk) => void;

/** A model of transformers.js, and what can be done with it besides asking. */
export interface TransformersModel extends ChatModel {
  /** Exact once the model is loaded; until then the call loads it. */
  countTokens(text: string): Promise<number>;
  /** Frees its memory after the calls that were made before. The next call loads it again. */
  unload(): Promise<void>;
  /** Calls that are under way or wait. */
  readonly calls: number;
}

/**
 * A text-generation model of transformers.js, on the GPU or the processor of whoever opened the page. Nothing leaves the machine. The first
 * call downloads it, told in `progress` chunks; the library keeps it in the browser. Give several roles the same model: calls wait for
 * each other. It cannot hold replies to a schema, takes no seed and reads every prompt from its beginning: where WebGPU is, `webLLM` does
 * more, and where it is not, `wllama`. A stop takes effect with the next token.
 *
 * Calls throw a RoleZeroError `model-load`, `context-overflow`, `model-request` or `aborted`.
 *
 * @example
 * import * as library from '@huggingface/transformers';
 * transformers({ library, model: 'onnx-community/Qwen2.5-0.5B-Instruct', options: { dtype: 'q4f16', device: 'webgpu' } })
 * @throws RoleZeroError `invalid` for limits that cannot be.
 */
export function transformers(options: TransformersOptions): TransformersModel {
  return new OfLibrary(options);
}

class OfLibrary implements TransformersModel {
  readonly #options: TransformersOptions;
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly supports = { jsonSchema: false, images: false, seed: false };
  readonly #turns = new Turns();
  #loaded: TextGeneration | null = null;

  constructor(options: TransformersOptions) {
    this.#options = options;

    this.id = `transformers/${options.model}`;
    const limits = limitsOf(options);
    this.contextWindow = limits.contextWindow;
    this.maxOutputTokens = limits.maxOutputTokens;
  }

  get calls(): number {
    return this.#turns.length;
  }

  chat(request: ChatRequest): AsyncIterable<ChatChunk> {
    return toldWhile<ChatChunk>(
      (tell, signal) =>
        this.#turns.take(
          () => this.#reply(request, tell, signal),
          signal,
          (before) => tell(progress(0, before, `Waiting for ${this.#options.model}: ${before} before this.`)),
        ),
      request.signal,
    );
  }

  async countTokens(text: string): Promise<number> {
    const nobody = new AbortController().signal;
    return this.#turns.take(
      async () => {
        const { tokenizer } = await this.#ready(() => undefined);
        return tokenizer.encode(text, { add_special_tokens: false }).length;
      },
      nobody,
      () => undefined,
    );
  }

  async unload(): Promise<void> {
    await this.#turns.take(
      () => this.#drop(),
      new AbortController().signal,
      () => undefined,
    );
  }

  async #ready(tell: Tell): Promise<TextGeneration> {
    if (this.#loaded !== null) return this.#loaded;
    const { library, model, options = {} } = this.#options;
    tell(progress(0, 1, `Opening ${model}.`));
    try {
      this.#loaded = await library.pipeline('text-generation', model, {
        ...options,
        progress_callback: (report: unknown) => {
          const chunk = download(report);
          if (chunk !== null) tell(chunk);
        },
      });
    } catch (error) {
      const message = `${model} could not be loaded: ${describe(error)}`;
      throw new RoleZeroError('model-load', message, { model, retryable: false }, error);
    }
    tell(progress(1, 1, `${model} is ready.`));
    return this.#loaded;
  }

  async #reply(request: ChatRequest, tell: Tell, signal: AbortSignal): Promise<void> {
    const generate = await this.#ready(tell);
    signal.throwIfAborted();
    try {
      await this.#generate(generate, request, tell, signal);
    } catch (error) {
      if (error instanceof RoleZeroError) throw error;
      await this.#drop().catch(() => undefined); // whatever state it is in
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
    tell: Tell,
    signal: AbortSignal,
  ): Promise<void> {
    const { TextStreamer, InterruptableStoppingCriteria } = this.#options.library;
    const { tokenizer } = generate;
    const prompt = tokenizer.apply_chat_template(templateMessages(request.messages), {
      tokenize: false,
      add_generation_prompt: true,
      enable_thinking: this.#options.thinking ?? false,
    });
    if (typeof prompt !== 'string') throw new Error('Its chat template gave no text.');
    const promptTokens = tokenizer.encode(prompt, { add_special_tokens: false }).length;
    const room = this.contextWindow - promptTokens;
    if (room < 1) throw tooLong(promptTokens, this.contextWindow);
    const most = Math.min(request.maxOutputTokens ?? Infinity, this.maxOutputTokens, room);

    const interruption = new InterruptableStoppingCriteria();
    const interrupt = (): void => interruption.interrupt();
    const thoughts = new Thoughts();
    const cut = new CutAtStop(request.stop ?? []);
    let written = 0;
    let last: bigint | undefined;
    const say = (text: string): void => {
      for (const piece of thoughts.add(text)) tell(piece);
    };
    const streamer = new TextStreamer(tokenizer as never, {
      skip_prompt: true,
      token_callback_function: (tokens) => {
        written += tokens.length;
        last = tokens.at(-1) ?? last;
      },
      callback_function: (text) => {
        say(cut.add(text));
        if (cut.isOver) interrupt();
      },
    });
    signal.addEventListener('abort', interrupt);
    try {
      await generate(prompt, {
        add_special_tokens: false, // the template has them
        return_full_text: false,
        max_new_tokens: most,
        ...(request.temperature === undefined ? {} : sampling(request.temperature)),
        streamer,
        stopping_criteria: interruption,
      });
    } finally {
      signal.removeEventListener('abort', interrupt);
    }
    if (signal.aborted) return; // nobody listens
    say(cut.end());
    for (const piece of thoughts.end('', 0)) tell(piece);
    tell({ type: 'usage', promptTokens, completionTokens: written });
    const isWhole = cut.isOver || written < most || endsOf(generate).includes(Number(last));
    tell({ type: 'finish', reason: isWhole ? 'stop' : 'length' });
  }

  async #drop(): Promise<void> {
    const generate = this.#loaded;
    this.#loaded = null;
    await generate?.dispose();
  }
}

function sampling(temperature: number): object {
  return temperature > 0 ? { do_sample: true, temperature } : { do_sample: false };
}

/** The tokens that end a reply. */
function endsOf({ model }: TextGeneration): number[] {
  const config = model.generation_config;
  const ends: unknown = isRecord(config) ? config['eos_token_id'] : undefined;
  return [ends].flat().filter((id) => typeof id === 'number');
}

/** What the library reports of a download; null for what is no news. */
function download(report: unknown): ChatChunk | null {
  if (!isRecord(report) || report['status'] !== 'progress') return null;
  const { file, loaded, total } = report;
  if (typeof loaded !== 'number' || typeof total !== 'number') return null;
  return progress(
    loaded,
    total,
    `Downloading ${String(file)}, ${megabytes(loaded)} of ${megabytes(total)} MB.`,
  );
}

function tooLong(promptTokens: number, contextWindow: number): RoleZeroError {
  const message = `The prompt of ${promptTokens} tokens does not fit the window of ${contextWindow}.`;
  return new RoleZeroError('context-overflow', message, { promptTokens, contextWindow });
}

function progress(loaded: number, total: number, text: string): ChatChunk {
  return { type: 'progress', loaded, total, text };
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}
