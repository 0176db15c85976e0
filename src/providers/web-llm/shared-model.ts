import type { AppConfig, ModelRecord } from '@mlc-ai/web-llm';
import { toRoleZeroError } from '../../core/error.js';
import type { ChatChunk, ChatRequest } from '../../core/model.js';
import { currentAdapter, nextSmaller, obstacleOf, whyNot } from './choose-model.js';
import { type About, isHarmless, outOfMemory, unfit } from './errors.js';
import { type CallLimits, LoadedModel } from './loaded-model.js';
import { modelOf, models } from './model-list.js';
import { Turns } from '../local/turns.js';

type Tell = (chunk: ChatChunk) => void;

/** Identifies a shared model. Callers with the same values share it. */
export interface Shared {
  record: ModelRecord;
  appConfig: AppConfig;
  contextWindow: number;
}

/** Shared models of this worker. */
const shared = new Map<string, SharedModel>();

/** Returns the shared model of this worker for these options. Does not load it. */
export function sharedModel(options: Shared): SharedModel {
  const { record, appConfig, contextWindow } = options;
  const { cacheBackend = 'cache' } = appConfig;
  const key = JSON.stringify([record, cacheBackend, contextWindow]);
  const known = shared.get(key) ?? new SharedModel(options);
  shared.set(key, known);
  return known;
}

/**
 * Model shared by several roles, with queued calls. It is loaded by the first call that needs it. After a device loss or `unload`, the next
 * call loads it again.
 */
export class SharedModel {
  readonly #options: Shared;
  readonly #turns = new Turns();
  #loaded: LoadedModel | null = null;

  constructor(options: Shared) {
    this.#options = options;
  }

  /** Number of running and waiting calls. */
  get calls(): number {
    return this.#turns.length;
  }

  /** Returns the number of tokens of a text, or null while the model is not loaded. */
  countTokens(text: string): number | null {
    return this.#loaded === null || this.#loaded.gone ? null : this.#loaded.countTokens(text);
  }

  async load(tell: Tell, signal: AbortSignal): Promise<void> {
    await this.#inTurn(tell, signal, async () => {
      await this.#ready(tell, signal);
    });
  }

  async chat(request: ChatRequest, limits: CallLimits, tell: Tell, signal: AbortSignal): Promise<void> {
    await this.#inTurn(tell, signal, async () => {
      const model = await this.#ready(tell, signal);
      try {
        await model.chat(request, limits, tell, signal);
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
    await this.#turns.take(
      () => this.#drop(),
      new AbortController().signal,
      () => undefined,
    );
  }

  #inTurn(tell: Tell, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const { model_id: id } = this.#options.record;
    return this.#turns.take(work, signal, (before) => {
      const calls = before === 1 ? '1 call is' : `${before} calls are`;
      tell({
        type: 'progress',
        phase: 'waiting',
        loaded: 0,
        total: before,
        text: `Waiting for ${id}: ${calls} before this one.`,
      });
    });
  }

  async #ready(tell: Tell, signal: AbortSignal): Promise<LoadedModel> {
    if (this.#loaded !== null && !this.#loaded.gone) return this.#loaded;
    const { record, appConfig, contextWindow } = this.#options;
    const adapter = await currentAdapter();
    const model = modelOf(record);
    const about: About = {
      model: model.id,
      vramMB: model.vramMB,
      contextWindow,
      smaller: nextSmaller(model, adapter, models(appConfig)),
    };
    const why = obstacleOf(adapter) ?? (adapter === null ? null : whyNot(model, adapter));
    if (why !== null) throw unfit(about, why.endsWith('.') ? why : `${why}.`);
    const overrides = { context_window_size: contextWindow, sliding_window_size: -1 };
    this.#loaded = await LoadedModel.load({ model: model.id, appConfig, overrides }, about, tell, signal);
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
