import { hasModelInCache, prebuiltAppConfig } from '@mlc-ai/web-llm';
import type { ChatChunk, ChatModel, ChatRequest } from '../../base/model.js';
import { estimatedTokens } from './estimated-tokens.js';
import type { ProgressChunk } from './load-progress.js';
import { modelOf, recordOf } from './model-list.js';
import type { WebLLMOptions } from './options.js';
import { type SharedModel, sharedModel } from './shared-model.js';
import { limitsOf } from '../local/limits.js';
import { toldWhile } from '../local/told-while.js';

/** A model in the browser, and what can be done with it besides asking. */
export interface WebLLM extends ChatModel {
  /** Exact once the model is loaded; until then an estimate that errs high. */
  countTokens(text: string): number;
  /** Downloads and loads it now instead of with the first call, telling how far it is. An abort keeps what has come. */
  load(signal?: AbortSignal): AsyncIterable<ProgressChunk>;
  /** Takes it from the GPU, for all who share it, after the calls that were made before. The next call loads it again. */
  unload(): Promise<void>;
  /** True when its weights are kept in the browser: it then loads without a network. */
  isDownloaded(): Promise<boolean>;
  /** Calls to it that are under way or wait, of all who share it. */
  readonly calls: number;
}

/**
 * A model that runs on the GPU of whoever opened the page, by web-llm. Nothing leaves the machine. The first call downloads the weights
 * (hundreds of megabytes; they are kept, and load without a network from then on) and brings them to the GPU, told in `progress` chunks.
 * Import this in a worker: it brings 2 MB of code.
 *
 * All models of the same id and window in one worker are one: it is loaded once, and calls wait for each other, told in `progress` chunks.
 * A conversation that only grows is read once: `cachedPromptTokens` says how many tokens of a prompt the engine still held.
 * `responseSchema` is kept by grammar, while the reply is written. A stop takes effect with the next token; a prompt is read to its end.
 *
 * Calls throw a RoleZeroError `model-load` (`detail.kind`: `unfit`, `out-of-memory` with the next smaller model as `detail.smaller`,
 * `download`, `storage-full`, `integrity`, `release`, `engine`), `model-device-lost` (asked again, the model is loaded anew),
 * `context-overflow`, `model-request` (`detail.kind`: `schema`, `engine`), `invalid` or `aborted`.
 *
 * @example webLLM('Qwen3-1.7B-q4f16_1-MLC')
 * @example webLLM({ model: 'Qwen3-4B-q4f16_1-MLC', contextWindow: 8_192 })
 * @throws RoleZeroError `invalid` for a model that is not in the list, or limits that cannot be.
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
    return toldWhile<ChatChunk>(
      (tell, signal) => this.#shared.chat(request, limits, tell, signal),
      request.signal,
    );
  }

  load(signal = new AbortController().signal): AsyncIterable<ProgressChunk> {
    return toldWhile<ProgressChunk>(
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
