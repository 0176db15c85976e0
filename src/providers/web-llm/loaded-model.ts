import {
  type AppConfig,
  type ChatCompletionChunk,
  type ChatOptions,
  type MLCEngine,
  MLCEngine as Engine,
  type InitProgressReport,
} from '@mlc-ai/web-llm';
import { defined } from '../../core/defined.js';
import { RoleZeroError } from '../../core/error.js';
import { finishReason, type FinishReason } from '../../core/finish-reason.js';
import type { ChatChunk, ChatRequest, ProgressChunk } from '../../core/model.js';
import { grammarSchema } from '../local/grammar-schema.js';
import { progressChunk } from '../local/progress.js';
import type { Emit } from '../local/stream-progress.js';
import { Thoughts } from '../local/thoughts.js';
import { CachedConversation, type EnginePrompt } from './cached-conversation.js';
import { type ModelDetails, chatFault, deviceLost, loadFault, outOfMemory } from './errors.js';

/** Model to load, with its configuration. */
export interface LoadOptions {
  model: string;
  appConfig: AppConfig;
  /** Overrides of the model's own settings. */
  overrides: ChatOptions;
}

/** Limits of a call in addition to its request. */
export interface CallLimits {
  maxOutputTokens: number;
  /** False disables thinking; undefined uses the model's default. */
  thinking: boolean | undefined;
}

/** One model on the GPU. It handles one call at a time; the caller must queue calls. */
export class LoadedModel {
  readonly #engine: MLCEngine;
  readonly #internals: EngineInternals;
  readonly #model: string;
  readonly #about: ModelDetails;
  readonly #conversation = new CachedConversation();
  readonly #lost: Promise<never>;
  /** True when the GPU is lost or the model was unloaded. */
  gone = false;

  private constructor(engine: MLCEngine, internals: EngineInternals, model: string, about: ModelDetails) {
    this.#engine = engine;
    this.#internals = internals;
    this.#model = model;
    this.#about = about;

    this.#lost = internals.deviceLost.then((information) => {
      this.gone = true;
      throw deviceLost(about, information.message);
    });
    this.#lost.catch(() => undefined); // the device may be lost when no call is running
  }

  /**
   * Downloads missing files, copies the weights to the GPU, and compiles the kernels. An abort stops the download; the completed part
   * remains cached.
   *
   * @throws RoleZeroError `model-load` with a `detail.kind`, or `aborted`.
   */
  static async load(
    { model, appConfig, overrides }: LoadOptions,
    about: ModelDetails,
    emit: Emit<ProgressChunk>,
    signal: AbortSignal,
  ): Promise<LoadedModel> {
    signal.throwIfAborted();
    emit(progressChunk('loading', 0, 1, `Opening ${model}.`));
    const engine = new Engine({
      appConfig,
      logLevel: 'ERROR',
      initProgressCallback: (report) => emit(loadProgress(model, report)),
    });
    // On device loss, the engine calls `unload` without awaiting it. If the GPU process has died, that call rejects.
    const unload = engine.unload.bind(engine);
    engine.unload = () => {
      const unloaded = unload();
      unloaded.catch(() => undefined);
      return unloaded;
    };
    const abort = (): void => void engine.unload();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await engine.reload(model, overrides);
      signal.throwIfAborted(); // an aborted `reload` resolves like a completed one
      return new LoadedModel(engine, internalsOf(engine, model), model, about);
    } catch (error) {
      await engine.unload().catch(() => undefined); // frees partial state; the original error is thrown below
      if (signal.aborted) throw new RoleZeroError('aborted', 'Stopped.', {}, error);
      throw isLoss(error) ? outOfMemory(about, error) : loadFault(error, about);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Returns the exact number of tokens of a text. */
  countTokens(text: string): number {
    return this.#internals.countTokens(text);
  }

  /**
   * Generates one reply. On abort, resolves early without an error; the engine is then ready for the next call.
   *
   * @throws RoleZeroError `context-overflow`, `model-device-lost`, `model-request`, or `invalid`.
   */
  async chat(request: ChatRequest, limits: CallLimits, emit: Emit, signal: AbortSignal): Promise<void> {
    const plan = this.#conversation.plan(request.messages);
    this.#conversation.forget(); // stored again when the reply is complete
    const interrupt = (): void => void this.#engine.interruptGenerate();
    signal.addEventListener('abort', interrupt);
    try {
      await this.#reply(plan, request, limits, emit, signal);
    } catch (error) {
      if (this.gone) throw await this.#loss();
      const fault = chatFault(error, this.#about);
      // Cached thinking may cause the overflow. Retry with the bare conversation.
      if (fault.code !== 'context-overflow' || !plan.continues || signal.aborted) throw fault;
      await this.#again(plan, request, limits, emit, signal);
    } finally {
      signal.removeEventListener('abort', interrupt);
    }
  }

  /** Unloads the model from the GPU. Does nothing when the GPU is lost, because the engine has already unloaded then. */
  async unload(): Promise<void> {
    if (this.gone) return;
    this.gone = true;
    await this.#engine.unload();
  }

  async #again(
    plan: EnginePrompt,
    request: ChatRequest,
    limits: CallLimits,
    emit: Emit,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await this.#engine.resetChat(false, this.#model);
      await this.#reply(this.#conversation.restart(plan), request, limits, emit, signal);
    } catch (error) {
      throw this.gone ? await this.#loss() : chatFault(error, this.#about);
    }
  }

  async #reply(
    plan: EnginePrompt,
    request: ChatRequest,
    limits: CallLimits,
    emit: Emit,
    signal: AbortSignal,
  ): Promise<void> {
    const reply = new ReplyReader(request.stop, emit);
    const stream = await this.#engine.chat.completions.create(
      engineRequest(this.#model, plan, request, limits),
    );
    const chunks = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        // After a device loss, some calls never settle.
        const next = await Promise.race([chunks.next(), this.#lost]);
        if (next.done === true || signal.aborted) break;
        const [choice] = next.value.choices;
        reply.add(choice?.delta.content ?? '');
        if (choice?.finish_reason != null) {
          const raw = await this.#engine.getMessage(this.#model);
          reply.end(raw, choice.finish_reason);
          if (reply.finish === 'stop') this.#conversation.keep(plan, reply.text, raw);
        }
        if (next.value.usage != null) emit(this.#usage(next.value.usage));
      }
    } finally {
      // Frees the engine for the next call. After a device loss, it may never settle.
      const closed = Promise.resolve(chunks.return?.());
      if (this.gone) closed.catch(() => undefined);
      else await closed;
    }
    if (reply.finish !== null && !signal.aborted) emit({ type: 'finish', reason: reply.finish });
  }

  /** Returns the measured usage. The engine counts only newly processed prompt tokens; the cached ones are the rest of its KV cache. */
  #usage(usage: NonNullable<ChatCompletionChunk['usage']>): ChatChunk {
    const { prompt_tokens: read, completion_tokens: written, extra } = usage;
    // The last generated token has not been added to the KV cache.
    const held = this.#internals.tokensHeld() - read - Math.max(0, written - 1);
    return {
      type: 'usage',
      promptTokens: read + Math.max(0, held),
      completionTokens: written,
      cachedPromptTokens: Math.max(0, held),
      costUsd: 0,
      rates: {
        promptTokensPerSecond: rate(extra.prefill_tokens_per_s),
        completionTokensPerSecond: rate(extra.decode_tokens_per_s),
      },
    };
  }

  async #loss(): Promise<unknown> {
    return this.#lost.catch((error: unknown) => error);
  }
}

/** Separates the text of a reply from its thinking, and emits both. */
class ReplyReader {
  /** Emitted text, without thinking. */
  text = '';
  /** Why the reply ended; null while it has not, and when the engine aborted it. */
  finish: FinishReason | null = null;
  readonly #thoughts: Thoughts;
  readonly #emit: Emit;
  /** Characters received. */
  #length = 0;

  constructor(stop: ChatRequest['stop'], emit: Emit) {
    this.#thoughts = new Thoughts(stop);
    this.#emit = emit;
  }

  add(text: string): void {
    this.#length += text.length;
    this.#emitPieces(this.#thoughts.add(text));
  }

  /** `raw` is the whole reply as the engine has it. */
  end(raw: string, reason: string): void {
    this.#emitPieces(this.#thoughts.end(raw, this.#length));
    const read = finishReason(reason);
    this.finish = read === 'failure' ? null : read;
  }

  #emitPieces(pieces: ReturnType<Thoughts['add']>): void {
    for (const piece of pieces) {
      this.#emit(piece);
      if (piece.type === 'text-delta') this.text += piece.text;
    }
  }
}

function engineRequest(model: string, plan: EnginePrompt, request: ChatRequest, limits: CallLimits) {
  const { temperature, seed, stop, responseSchema } = request;
  return {
    model,
    messages: plan.messages,
    stream: true as const,
    stream_options: { include_usage: true },
    // Without a limit, a model may repeat white space or a word until its window is full.
    max_tokens: limits.maxOutputTokens,
    ...defined({
      temperature,
      seed,
      stop: stop?.length ? stop : undefined,
      response_format: responseSchema && {
        type: 'json_object' as const,
        schema: grammarSchema(responseSchema),
      },
      extra_body: limits.thinking === undefined ? undefined : { enable_thinking: limits.thinking },
    }),
  };
}

/** The engine reports NaN when it measured nothing. */
function rate(value: number): number {
  return Number.isFinite(value) ? value : 0;
}

/**
 * Returns true for errors caused by a GPU device lost during loading. The browser reports an `AbortError` without an abort request. The
 * engine has disposed itself by then, and its next operation fails.
 */
function isLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || /already been disposed/.test(error.message);
}

const MEGABYTE = 2 ** 20;

/**
 * Converts a loading report to a progress chunk: bytes while weights are downloaded or copied to the GPU, steps while kernels are compiled.
 *
 * The phase is only available from the text of the report. The engine rounds bytes up to the next megabyte; the total is calculated from
 * the completed share.
 */
export function loadProgress(model: string, { progress, text }: InitProgressReport): ProgressChunk {
  const megabytes = /: (\d+)MB (?:fetched|loaded)\./.exec(text);
  if (megabytes !== null && progress > 0) {
    const done = Number(megabytes[1]);
    const whole = Math.max(done, Math.round(done / progress));
    const isFetched = text.startsWith('Fetching');
    const doing = isFetched ? 'Downloading' : 'Loading to the GPU:';
    return progressChunk(
      isFetched ? 'downloading' : 'loading',
      done * MEGABYTE,
      whole * MEGABYTE,
      `${doing} ${model}, ${done} of ${whole} MB.`,
    );
  }
  const steps = /^Loading GPU shader modules\[(\d+)\/(\d+)\]/.exec(text);
  if (steps !== null) {
    const [, done, all] = steps.map(Number);
    return progressChunk(
      'loading',
      done ?? 0,
      all ?? 1,
      `Compiling ${model} for this GPU, step ${done ?? 0} of ${all ?? 1}.`,
    );
  }
  if (text.startsWith('Start to fetch params'))
    return progressChunk('loading', 0, 1, `Looking for the weights of ${model}.`);
  const ready = /^Finish loading on (.*)$/.exec(text);
  if (ready !== null)
    return progressChunk(
      'loading',
      1,
      1,
      `${model} is ready on ${ready[1]?.replace(/[ -]+$/, '') ?? 'WebGPU'}.`,
    );
  return progressChunk('loading', progress, 1, text);
}

/** Release whose internals are known; `peerDependencies` requires exactly this version. */
const KNOWN_RELEASE = '0.2.86';

/** Engine internals that web-llm does not expose. */
interface EngineInternals {
  /** Returns the number of tokens of a text, counted with the model's own tokenizer. */
  countTokens(text: string): number;
  /** Returns the number of tokens in the engine's KV cache. */
  tokensHeld(): number;
  /** Resolves when the GPU device is lost, including by `unload`. */
  readonly deviceLost: Promise<{ message: string }>;
}

/**
 * Returns the internals of a loaded engine. Checks them right after loading, so that an incompatible web-llm release causes an error
 * instead of wrong figures.
 *
 * @throws RoleZeroError `model-load` when an internal is missing.
 */
export function internalsOf(engine: MLCEngine, model: string): EngineInternals {
  const pipelines = part(engine, 'loadedModelIdToPipeline');
  const pipeline = pipelines instanceof Map ? (pipelines.get(model) as unknown) : undefined;
  const tokenizer = part(pipeline, 'tokenizer');
  const lost = part(pipeline, 'tvm', 'lib', 'webGPUContext', 'device', 'lost');
  const held = () => part(pipeline, 'filledKVCacheLength');
  const encode = part(tokenizer, 'encode');
  if (typeof encode !== 'function' || typeof held() !== 'number' || !(lost instanceof Promise)) {
    throw new RoleZeroError(
      'model-load',
      `This release of @mlc-ai/web-llm is built differently from ${KNOWN_RELEASE}, the one that is needed: npm install @mlc-ai/web-llm@${KNOWN_RELEASE}.`,
      { kind: 'release', needed: KNOWN_RELEASE },
    );
  }
  return {
    countTokens: (text) => (Reflect.apply(encode, tokenizer, [text]) as ArrayLike<number>).length,
    tokensHeld: () => Number(held()),
    deviceLost: lost as Promise<{ message: string }>,
  };
}

function part(of: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? (Reflect.get(value, name) as unknown) : undefined,
    of,
  );
}
