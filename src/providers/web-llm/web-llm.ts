import { hasModelInCache, prebuiltAppConfig } from '@mlc-ai/web-llm';
import { checkOptions, type OptionKind } from '../../core/check-options.js';
import type { ChatChunk, ChatMessage, ChatModel, ChatRequest, ProgressChunk } from '../../core/model.js';
import { estimatedTokens } from './estimated-tokens.js';
import { modelOf, recordOf } from './model-list.js';
import type { WebLLMOptions } from './options.js';
import { type SharedModel, sharedModel } from './shared-model.js';
import { limitsOf } from '../local/limits.js';
import { streamProgress } from '../local/stream-progress.js';

/** A web-llm model with methods to load, unload, and inspect it. */
export interface WebLLM extends ChatModel {
  /** Returns the exact number of tokens once the model is loaded, and before that an estimate that errs on the high side. */
  countTokens(text: string): number;
  /**
   * Downloads and loads the model now instead of with the first call, and yields its progress. After an abort, the downloaded part remains
   * cached.
   */
  load(signal?: AbortSignal): AsyncIterable<ProgressChunk>;
  /** Unloads the model from the GPU for all callers that share it, after all earlier calls. The next call loads it again. */
  unload(): Promise<void>;
  /** Returns true when its weights are cached in the browser, so that it loads without a network. */
  isDownloaded(): Promise<boolean>;
  /** Number of running and waiting calls of all callers that share the model. */
  readonly calls: number;
}

const OPTION_KINDS: Record<keyof WebLLMOptions, OptionKind> = {
  model: 'text',
  appConfig: true,
  contextWindow: true,
  maxOutputTokens: true,
  thinking: 'flag',
};

/**
 * Creates a chat model that runs on the user's GPU with web-llm. No data leaves the machine. Import it in a worker, because it adds 2 MB of
 * code.
 *
 * The first call downloads the weights (hundreds of megabytes), copies them to the GPU, and emits `progress` chunks. The weights are cached
 * and later load without a network.
 *
 * Instances with the same id and window in one worker share one model. It is loaded once, and calls are queued, with `progress` chunks. A
 * conversation that only grows is processed once: `cachedPromptTokens` is the number of prompt tokens that were still cached.
 * `responseSchema` is enforced with a grammar during generation. An abort takes effect at the next token; a prompt is processed to its end.
 *
 * Calls throw a RoleZeroError `model-load` (`detail.kind`: `unfit`, `out-of-memory` with the next smaller model as `detail.smaller`,
 * `download`, `storage-full`, `integrity`, `release`, `engine`), `model-device-lost` (the next call loads the model again),
 * `context-overflow`, `model-request` (`detail.kind`: `schema`, `engine`), `invalid`, or `aborted`.
 *
 * @example webLLM('Qwen3-1.7B-q4f16_1-MLC')
 * @example webLLM({ model: 'Qwen3-4B-q4f16_1-MLC', contextWindow: 8_192 })
 * @throws RoleZeroError `invalid` for a model that is not in the list, or for invalid token limits.
 */
export function webLLM(options: string | WebLLMOptions): WebLLM {
  return new WebLLMModelOfWorker(typeof options === 'string' ? { model: options } : options);
}

class WebLLMModelOfWorker implements WebLLM {
  readonly #options: WebLLMOptions;
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly supports = { jsonSchema: true, images: false, seed: true };
  readonly #shared: SharedModel;
  readonly #thinking: boolean | undefined;

  constructor(options: WebLLMOptions) {
    checkOptions('webLLM()', options, OPTION_KINDS, ['model']);
    this.#options = options;
    const { model, appConfig = prebuiltAppConfig } = options;
    const record = recordOf(model, appConfig);
    this.id = `web-llm/${model}`;
    const limits = limitsOf(options, modelOf(record).contextWindow);
    this.contextWindow = limits.contextWindow;
    this.maxOutputTokens = limits.maxOutputTokens;
    this.#thinking = options.thinking ?? (/^Qwen3/.test(model) ? false : undefined);
    this.#shared = sharedModel({ record, appConfig, contextWindow: this.contextWindow });
  }

  get calls(): number {
    return this.#shared.calls;
  }

  countTokens(text: string): number {
    return this.#shared.countTokens(text) ?? estimatedTokens(text);
  }

  chat(request: ChatRequest): AsyncIterable<ChatChunk> {
    const maxOutputTokens = Math.min(request.maxOutputTokens ?? Infinity, this.maxOutputTokens);
    const limits = { maxOutputTokens, thinking: this.#thinking };
    return streamProgress<ChatChunk>(
      (tell, signal) => this.#shared.chat(request, limits, tell, signal),
      request.signal,
    );
  }

  prepare(_messages: readonly ChatMessage[], signal: AbortSignal): AsyncIterable<ProgressChunk> {
    return this.load(signal); // a GPU reads the prompt in a moment
  }

  load(signal = new AbortController().signal): AsyncIterable<ProgressChunk> {
    return streamProgress<ProgressChunk>(
      (tell, stop) =>
        this.#shared.load((chunk) => {
          if (chunk.type === 'progress') tell(chunk);
        }, stop),
      signal,
    );
  }

  unload(): Promise<void> {
    return this.#shared.unload();
  }

  isDownloaded(): Promise<boolean> {
    return hasModelInCache(this.#options.model, this.#options.appConfig);
  }
}
