import { defined } from '../base/defined.js';
import { RoleZeroError } from '../base/error.js';
import { priceOf } from './prices.js';
import { sameModel } from './same-model.js';
import type { ChatChunk, ChatModel, ChatRequest, Price } from '../base/model.js';

export { priceOf, prices } from './prices.js';
export type { Price } from '../base/model.js';

export interface MeteredOptions {
  /** Used where the model does not tell what a call cost. Default: the model's own, else that of `prices`; without any it counts as free. */
  price?: Price;
  /** By the model's name: `{ ...prices, 'my-model': { … } }` of this entry, with what the application knows better. */
  prices?: Readonly<Record<string, Price>>;
  /** No further call is made once this much is spent. A call that is under way is not cut off. */
  budget?: { usd?: number; tokens?: number };
}

/** What the calls of a model came to since it was made. */
export interface Spent {
  calls: number;
  promptTokens: number;
  completionTokens: number;
  costUsd: number;
}

export interface MeteredModel extends ChatModel {
  readonly spent: Readonly<Spent>;
}

/**
 * The same model with its calls counted, priced and limited. Calls beyond the budget throw a RoleZeroError `budget`, upon which
 * `failover` goes on with the next model. The count begins anew with the worker; limits of a requirement are the role's `budget`.
 *
 * @example failover(metered(openai({ … }), { price, budget: { usd: 1 } }), webLLM('…'))
 */
export function metered(model: ChatModel, options: MeteredOptions): MeteredModel {
  const { budget = {} } = options;
  const price = options.price ?? model.price ?? priceOf(model.id, options.prices ?? {});
  const spent: Spent = { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 };
  const { id } = model;
  return {
    ...sameModel(model),
    ...defined({ price }),
    spent,
    async *chat(request: ChatRequest): AsyncGenerator<ChatChunk, void> {
      const { usd = Infinity, tokens = Infinity } = budget;
      if (spent.costUsd >= usd || spent.promptTokens + spent.completionTokens >= tokens) {
        throw new RoleZeroError(
          'budget',
          `The budget of ${id} is spent: ${spent.promptTokens + spent.completionTokens} tokens, $${spent.costUsd.toFixed(4)}.`,
          { ...spent, budget },
        );
      }
      spent.calls += 1;
      for await (const chunk of model.chat(request)) {
        if (chunk.type !== 'usage') {
          yield chunk;
          continue;
        }
        const costUsd = chunk.costUsd ?? costOf(chunk, price);
        spent.promptTokens += chunk.promptTokens;
        spent.completionTokens += chunk.completionTokens;
        spent.costUsd += costUsd;
        yield { ...chunk, costUsd };
      }
    },
  };
}

function costOf(usage: { promptTokens: number; completionTokens: number }, price: Price | undefined): number {
  if (price === undefined) return 0;
  const { promptPerMillion, completionPerMillion } = price;
  return (usage.promptTokens * promptPerMillion + usage.completionTokens * completionPerMillion) / 1e6;
}
