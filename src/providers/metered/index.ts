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
   * price, calls count as free; with a budget of `usd`, the call after the first one then throws `invalid`.
   */
  price?: Price;
  /** Prices by model name: `{ ...prices, 'my-model': { … } }`, with `prices` of this entry point and your own values. */
  prices?: Readonly<Record<string, Price>>;
  /**
   * Once this much is spent, further calls are rejected. A running call is not interrupted. Tokens are estimated where the model reports
   * none.
   */
  budget?: { usd?: number; tokens?: number };
}

/** Measures that the budget of a model can limit. */
const METERED_BUDGET_KINDS = { usd: 'amount', tokens: 'amount' } as const;
const METERED_OPTION_NAMES: Record<keyof MeteredOptions, true> = { price: true, prices: true, budget: true };

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
  checkOptions('metered()', options, METERED_OPTION_NAMES);
  const { budget = {} } = options;
  checkOptions('budget', budget, METERED_BUDGET_KINDS);
  const price = options.price ?? model.price ?? priceOf(model.id, options.prices ?? {});
  const spent: Spent = { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 };
  const { id } = model;
  let isUnpriced = false;
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
      if (isUnpriced && budget.usd !== undefined)
        throw new RoleZeroError(
          'invalid',
          `The budget of ${id} cannot be measured in dollars: it reports no cost and has no price. Give metered() a price, all zeros if it is free, or limit tokens in place of usd.`,
          { model: id },
        );
      spent.calls += 1;
      const count = (usage: Tokens, costUsd = costOf(usage, price)): { costUsd?: number } => {
        spent.promptTokens += usage.promptTokens;
        spent.completionTokens += usage.completionTokens;
        spent.costUsd += costUsd ?? 0;
        isUnpriced ||= costUsd === undefined;
        return defined({ costUsd });
      };
      let reply = '';
      let isReported = false;
      for await (const chunk of model.chat(request)) {
        if (chunk.type === 'text-delta') reply += chunk.text;
        if (chunk.type !== 'usage') {
          yield chunk;
          continue;
        }
        isReported ||= chunk.promptTokens + chunk.completionTokens > 0;
        yield { ...chunk, ...count(chunk, chunk.costUsd) };
      }
      if (!isReported) count(estimateOf(request, reply));
    },
  };
}

interface Tokens {
  promptTokens: number;
  completionTokens: number;
}

/** Returns undefined without a price. */
function costOf({ promptTokens, completionTokens }: Tokens, price: Price | undefined): number | undefined {
  if (price === undefined) return undefined;
  const { promptPerMillion, completionPerMillion } = price;
  return (promptTokens * promptPerMillion + completionTokens * completionPerMillion) / 1e6;
}

/** Characters of a token; most texts have more. */
const MIN_CHARACTERS_PER_TOKEN = 3;

/** Images are not counted. */
function estimateOf({ messages }: ChatRequest, reply: string): Tokens {
  const texts = messages.flatMap(({ content }) =>
    typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')),
  );
  const tokensOf = (text: string): number => Math.ceil(text.length / MIN_CHARACTERS_PER_TOKEN);
  return { promptTokens: tokensOf(texts.join('')), completionTokens: tokensOf(reply) };
}
