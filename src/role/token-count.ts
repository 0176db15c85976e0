import { estimateTokens } from '../base/token-estimate.js';
import type { ChatModel } from '../base/model.js';

/** Characters of observations per token of the window, estimated low. */
export const CHARACTERS_PER_TOKEN = 3;

/** An estimate should rather be too high than too low. */
const ESTIMATE = 1.15;
/** What a model may prove the count to be short by; beyond, it is not the count that is wrong. */
const MOST = 3;
/** A prompt the model calls too long is counted that much higher from then on. */
const AFTER_OVERFLOW = 1.4;
/** Prompts shorter than this say more of a template than of the count. */
const LEARNS_FROM = 200;

/** Counts tokens as the model does where it can tell, else by an estimate which learns from what the model says that calls took. */
export class TokenCounter {
  /** Factor on what was counted or estimated. */
  #scale = 1;
  /** The part of a prompt that stays the same from call to call, as it was counted last. */
  #fixed: { model: ChatModel; text: string; tokens: number } | null = null;

  constructor(private readonly model: () => ChatModel) {}

  /** Another number when texts that were counted before would be counted otherwise. */
  get scale(): number {
    return this.#scale;
  }

  /** A promise only where the model itself has to be asked. */
  count(text: string): number | Promise<number> {
    const counted = unscaled(this.model(), text);
    const scaled = (tokens: number): number => Math.ceil(tokens * this.#scale);
    return typeof counted === 'number' ? scaled(counted) : counted.then(scaled);
  }

  /** The same for a long text that is sent with every call: counted anew only when it has changed. */
  async countFixed(text: string): Promise<number> {
    const model = this.model();
    if (this.#fixed?.text !== text || this.#fixed.model !== model)
      this.#fixed = { model, text, tokens: await unscaled(model, text) };
    return Math.ceil(this.#fixed.tokens * this.#scale);
  }

  /** A prompt that was counted as `counted` took `actual` tokens. Only ever makes counts higher. */
  learn(counted: number, actual: number): void {
    if (counted >= LEARNS_FROM && actual > counted) this.raise(actual / counted);
  }

  /** The model has called a prompt too long that was counted as fitting. */
  tooLong(): void {
    this.raise(AFTER_OVERFLOW);
  }

  private raise(factor: number): void {
    this.#scale = Math.min(MOST, this.#scale * factor);
  }
}

function unscaled(model: ChatModel, text: string): number | Promise<number> {
  return model.countTokens === undefined ? estimateTokens(text) * ESTIMATE : model.countTokens(text);
}
