/** What a call to the model has used: as the model reports it, otherwise estimated. */
import type { ChatChunk, ChatModel } from '../../core/model.js';

export interface CallUsage {
  promptTokens: number;
  completionTokens: number;
  cachedPromptTokens: number;
  costUsd: number;
  /** The model has not reported all of its tokens. */
  estimated?: true;
}

/** Adds up the reports of one reply. */
export class ReportedUsage {
  readonly used: CallUsage = { promptTokens: 0, completionTokens: 0, cachedPromptTokens: 0, costUsd: 0 };
  #hasCost = false;

  add({ promptTokens, completionTokens, cachedPromptTokens = 0, costUsd }: UsageChunk): void {
    this.used.promptTokens += promptTokens;
    this.used.completionTokens += completionTokens;
    this.used.cachedPromptTokens += cachedPromptTokens;
    this.used.costUsd += costUsd ?? 0;
    this.#hasCost ||= costUsd !== undefined;
  }

  /** Returns the usage with estimates of the tokens that were not reported, and the cost by the price of the model if it was not. */
  counted({ price }: ChatModel, estimates: { promptTokens: number; completionTokens: number }): CallUsage {
    const { used } = this;
    const promptTokens = used.promptTokens || estimates.promptTokens;
    const completionTokens = used.completionTokens || estimates.completionTokens;
    const isEstimated = promptTokens !== used.promptTokens || completionTokens !== used.completionTokens;
    const costUsd =
      this.#hasCost || price === undefined
        ? used.costUsd
        : (promptTokens * price.promptPerMillion + completionTokens * price.completionPerMillion) / 1e6;
    return {
      ...used,
      promptTokens,
      completionTokens,
      costUsd,
      ...(isEstimated ? { estimated: true } : {}),
    };
  }

  /** Returns whether the cost is known: it was reported, or the model has a price. */
  isPriced({ price }: ChatModel): boolean {
    return this.#hasCost || price !== undefined;
  }
}

type UsageChunk = Extract<ChatChunk, { type: 'usage' }>;
