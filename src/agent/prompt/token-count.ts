import { estimateTokens } from '../../core/token-estimate.js';
import type { ChatModel } from '../../core/model.js';

/** Characters of observations per token of the window; a low estimate. */
export const CHARACTERS_PER_TOKEN = 3;

/** Safety factor of estimates: too high is better than too low. */
const ESTIMATE = 1.15;
/** Maximum correction factor. A larger difference has another cause than the estimate. */
const MOST = 3;
/** Factor on later counts after the model rejected a prompt as too long. */
const AFTER_OVERFLOW = 1.4;
/** Minimum tokens of a prompt to learn from: a shorter one is mostly the chat template. */
const LEARNS_FROM = 200;

/** Counts tokens with the tokenizer of the model, or by an estimate that learns from the usage that the model reports. */
export class TokenCounter {
  readonly #model: () => ChatModel;
  /** Factor on counts and estimates. */
  #scale = 1;
  /** The system prompt and its last count. */
  #fixed: { model: ChatModel; text: string; tokens: number } | null = null;

  constructor(model: () => ChatModel) {
    this.#model = model;
  }

  /** Changes when earlier counts are no longer valid. */
  get scale(): number {
    return this.#scale;
  }

  /** Returns a promise only when the model has to count. */
  count(text: string): number | Promise<number> {
    const counted = unscaled(this.#model(), text);
    if (typeof counted === 'number') return Math.ceil(counted * this.#scale);
    return counted.then((tokens) => Math.ceil(tokens * this.#scale));
  }

  /** Counts a long text that every call contains; counted again only when it changes. Returns a promise only then. */
  countFixed(text: string): number | Promise<number> {
    const model = this.#model();
    if (this.#fixed?.text !== text || this.#fixed.model !== model) return this.#recountFixed(model, text);
    return Math.ceil(this.#fixed.tokens * this.#scale);
  }

  async #recountFixed(model: ChatModel, text: string): Promise<number> {
    const tokens = await unscaled(model, text);
    this.#fixed = { model, text, tokens };
    return Math.ceil(tokens * this.#scale);
  }

  /** Corrects the estimate: a prompt that was counted as `counted` had `actual` tokens. Never lowers it. */
  learn(counted: number, actual: number): void {
    if (counted >= LEARNS_FROM && actual > counted) this.#raise(actual / counted);
  }

  /** Called when the model rejected a prompt that was counted as fitting. */
  tooLong(): void {
    this.#raise(AFTER_OVERFLOW);
  }

  #raise(factor: number): void {
    this.#scale = Math.min(MOST, this.#scale * factor);
  }
}

function unscaled(model: ChatModel, text: string): number | Promise<number> {
  return model.countTokens === undefined ? estimateTokens(text) * ESTIMATE : model.countTokens(text);
}
