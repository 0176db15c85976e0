import { checkModel } from '../../core/check-model.js';
import { checkOptions } from '../../core/check-options.js';
import { defined } from '../../core/defined.js';
import { RoleZeroError } from '../../core/error.js';
import { priceOf } from '../prices.js';
import { sameModel } from '../same-model.js';
import type { ChatChunk, ChatModel, ChatRequest, Price } from '../../core/model.js';

interface MeteredOptions {
  /**
   * Price used when the model does not report the cost of a call. By default, the model's own price, else the one in `prices`. Without a
   * price, calls count as free.
   */
  price?: Price;
  /** Prices by model name: `{ ...prices, 'my-model': { … } }`, with `prices` of this entry point and your own values. */
  prices?: Readonly<Record<string, Price>>;
  /** Once this much is spent, further calls are rejected. A running call is not interrupted. */
  budget?: { usd?: number; tokens?: number };
}

/** Measures that the budget of a model can limit. */
const BUDGET_KINDS = { usd: 'amount', tokens: 'amount' } as const;
const OPTION_NAMES: Record<keyof MeteredOptions, true> = { price: true, prices: true, budget: true };

/** Total usage of a model since it was created. */
interface Spent {
  calls: number;
  promptTokens: number;
  completionTokens: number;
  costUsd: number;
}

interface MeteredModel extends ChatModel {
  readonly spent: Readonly<Spent>;
}

/**
 * Wraps a model and counts, prices, and limits its calls. Calls beyond the budget throw a RoleZeroError `budget`; `failover` then uses the
 * next model. The count restarts with the worker. For limits per request, use the role's `budget`.
 *
 * @example failover(metered(openai({ … }), { price, budget: { usd: 1 } }), webLLM('…'))
 * @throws RoleZeroError `invalid` for a value that is not a model, and for an unknown option.
 */
export function metered(model: ChatModel, options: MeteredOptions): MeteredModel {
  checkModel(model, 'model');
  checkOptions('metered()', options, OPTION_NAMES);
  const { budget = {} } = options;
  checkOptions('budget', budget, BUDGET_KINDS);
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
