import { hasModelInCache, prebuiltAppConfig, type AppConfig, type ModelRecord } from '@mlc-ai/web-llm';
import { checkOptions, type OptionKind } from '../../core/check-options.js';
import { toRoleZeroError } from '../../core/error.js';
import type { ChatChunk, ChatMessage, ChatModel, ChatRequest, ProgressChunk } from '../../core/model.js';
import { estimateTokens } from '../../core/token-estimate.js';
import { limitsOf } from '../local/defaults.js';
import { progressChunk } from '../local/progress.js';
import { streamProgress, type Emit } from '../local/stream-progress.js';
import { CallQueue } from '../local/call-queue.js';
import { currentAdapter, nextSmaller, obstacleOf, whyNot } from './choose-model.js';
import { type ModelDetails, isHarmless, outOfMemory, unfitModel } from './errors.js';
import { type CallLimits, LoadedModel } from './loaded-model.js';
import { toModel, recordOf, models } from './model-list.js';

export { chooseModel, recommendModel, type WebLLMModel } from './choose-model.js';
export { models } from './model-list.js';

/** Options of a web-llm model. */
interface WebLLMOptions {
  /** Id in the model list, such as `Qwen3-1.7B-q4f16_1-MLC`; see `models` and `chooseModel`. */
  model: string;
  /** Your own models: locations of weights and libraries, and how downloads are cached. By default, the list of web-llm. */
  appConfig?: AppConfig;
  /**
   * Context window in tokens, shared by prompt and reply. By default, the value in the model list, usually 4096. A larger window needs more
   * GPU memory; a smaller one helps when memory is short.
   */
  contextWindow?: number;
  /** Maximum number of tokens per reply. A request can only lower it. By default, a quarter of the window. */
  maxOutputTokens?: number;
  /**
   * Allows the model to think before it answers. Without thinking, small models are faster and follow instructions better. By default,
   * false for the Qwen3 family, and the model's own default otherwise. Replies with a schema never include thinking.
   */
  thinking?: boolean;
}

/** A web-llm model with methods to load, unload, and inspect it. */
interface WebLLM extends ChatModel {
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

const WEB_LLM_OPTION_KINDS: Record<keyof WebLLMOptions, OptionKind> = {
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
  return new WebLLMChatModel(typeof options === 'string' ? { model: options } : options);
}

class WebLLMChatModel implements WebLLM {
  readonly #options: WebLLMOptions;
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly supports = { jsonSchema: true, images: false, seed: true };
  readonly #shared: SharedModel;
  readonly #thinking: boolean | undefined;

  constructor(options: WebLLMOptions) {
    checkOptions('webLLM()', options, WEB_LLM_OPTION_KINDS, ['model']);
    this.#options = options;
    const { model, appConfig = prebuiltAppConfig } = options;
    const record = recordOf(model, appConfig);
    this.id = `web-llm/${model}`;
    const limits = limitsOf(options, toModel(record).contextWindow);
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
      (emit, signal) => this.#shared.chat(request, limits, emit, signal),
      request.signal,
    );
  }

  prepare(_messages: readonly ChatMessage[], signal: AbortSignal): AsyncIterable<ProgressChunk> {
    return this.load(signal); // a GPU reads the prompt in a moment
  }

  load(signal = new AbortController().signal): AsyncIterable<ProgressChunk> {
    return streamProgress<ProgressChunk>(
      (emit, stop) =>
        this.#shared.load((chunk) => {
          if (chunk.type === 'progress') emit(chunk);
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

/** Identifies a shared model. Callers with the same values share it. */
interface Shared {
  record: ModelRecord;
  appConfig: AppConfig;
  contextWindow: number;
}

/** Shared models of this worker. */
const sharedModels = new Map<string, SharedModel>();

/** Returns the shared model of this worker for these options. Does not load it. */
function sharedModel(options: Shared): SharedModel {
  const { record, appConfig, contextWindow } = options;
  const { cacheBackend = 'cache' } = appConfig;
  const key = JSON.stringify([record, cacheBackend, contextWindow]);
  const known = sharedModels.get(key) ?? new SharedModel(options);
  sharedModels.set(key, known);
  return known;
}

/**
 * Model shared by several roles, with queued calls. It is loaded by the first call that needs it. After a device loss or `unload`, the next
 * call loads it again.
 */
class SharedModel {
  readonly #options: Shared;
  readonly #queue = new CallQueue();
  #loaded: LoadedModel | null = null;

  constructor(options: Shared) {
    this.#options = options;
  }

  /** Number of running and waiting calls. */
  get calls(): number {
    return this.#queue.length;
  }

  /** Returns the number of tokens of a text, or null while the model is not loaded. */
  countTokens(text: string): number | null {
    return this.#loaded === null || this.#loaded.gone ? null : this.#loaded.countTokens(text);
  }

  async load(emit: Emit, signal: AbortSignal): Promise<void> {
    await this.#inTurn(emit, signal, async () => {
      await this.#ready(emit, signal);
    });
  }

  async chat(request: ChatRequest, limits: CallLimits, emit: Emit, signal: AbortSignal): Promise<void> {
    await this.#inTurn(emit, signal, async () => {
      const model = await this.#ready(emit, signal);
      try {
        await model.chat(request, limits, emit, signal);
      } catch (caught) {
        const error = toRoleZeroError(caught);
        // Its state is unknown, so the next call loads a new instance. An error while freeing it in that state is expected.
        if (!isHarmless(error)) await this.#drop().catch(() => undefined);
        throw error;
      }
    });
  }

  /** Unloads the model after all earlier calls. */
  async unload(): Promise<void> {
    await this.#queue.take(
      () => this.#drop(),
      new AbortController().signal,
      () => undefined,
    );
  }

  #inTurn(emit: Emit, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const { model_id: id } = this.#options.record;
    return this.#queue.take(work, signal, (before) => {
      const calls = before === 1 ? '1 call is' : `${before} calls are`;
      emit(progressChunk('waiting', 0, before, `Waiting for ${id}: ${calls} before this one.`));
    });
  }

  async #ready(emit: Emit, signal: AbortSignal): Promise<LoadedModel> {
    if (this.#loaded !== null && !this.#loaded.gone) return this.#loaded;
    const { record, appConfig, contextWindow } = this.#options;
    const adapter = await currentAdapter();
    const model = toModel(record);
    const about: ModelDetails = {
      model: model.id,
      vramMB: model.vramMB,
      contextWindow,
      smaller: nextSmaller(model, adapter, models(appConfig)),
    };
    const why = obstacleOf(adapter) ?? (adapter === null ? null : whyNot(model, adapter));
    if (why !== null) throw unfitModel(about, why.endsWith('.') ? why : `${why}.`);
    const overrides = { context_window_size: contextWindow, sliding_window_size: -1 };
    this.#loaded = await LoadedModel.load({ model: model.id, appConfig, overrides }, about, emit, signal);
    if (!this.#loaded.gone) return this.#loaded;
    this.#loaded = null;
    throw outOfMemory(about, new Error('The device was lost while the model was loaded.'));
  }

  async #drop(): Promise<void> {
    const model = this.#loaded;
    this.#loaded = null;
    await model?.unload();
  }
}

/** Estimates the tokens of a text while its tokenizer is not loaded. Errs on the high side. */
function estimatedTokens(text: string): number {
  return Math.ceil(estimateTokens(text) * 1.15);
}
