import type { Price } from '../core/model.js';

/**
 * List prices of common models in US dollars per million tokens, as commonly known in 2025 and not verified since. They change: if your
 * application relies on them, override them with `{ ...prices, 'gpt-5': { … } }`.
 */
export const prices: Readonly<Record<string, Price>> = {
  'gpt-3.5-turbo': price(0.5, 1.5),
  'gpt-4': price(30, 60),
  'gpt-4-turbo': price(10, 30),
  'gpt-4o': price(2.5, 10),
  'gpt-4o-mini': price(0.15, 0.6),
  'gpt-4.1': price(2, 8),
  'gpt-4.1-mini': price(0.4, 1.6),
  'gpt-4.1-nano': price(0.1, 0.4),
  'gpt-5': price(1.25, 10),
  'gpt-5-mini': price(0.25, 2),
  'gpt-5-nano': price(0.05, 0.4),
  o3: price(2, 8),
  'o4-mini': price(1.1, 4.4),
  'claude-3-5-haiku': price(0.8, 4),
  'claude-haiku-4-5': price(1, 5),
  'claude-sonnet-4': price(3, 15),
  'claude-sonnet-4-5': price(3, 15),
  'claude-opus-4-1': price(15, 75),
  'gemini-2.5-pro': price(1.25, 10),
  'gemini-2.5-flash': price(0.3, 2.5),
  'gemini-2.5-flash-lite': price(0.1, 0.4),
};

/**
 * Returns the price of a model by its id or name. The name may have hosts and vendors before it and a date after it:
 * `openrouter.ai/openai/gpt-5`, `claude-sonnet-4-5-20250929`. Returns undefined for unknown models; a longer name never matches a shorter
 * one.
 */
export function priceOf(id: string, table: Readonly<Record<string, Price>> = prices): Price | undefined {
  const name = id.slice(id.lastIndexOf('/') + 1);
  const undated = name.replace(/[-@](\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '');
  return [id, name, undated].map((key) => (Object.hasOwn(table, key) ? table[key] : undefined)).find(Boolean);
}

function price(promptPerMillion: number, completionPerMillion: number): Price {
  return { promptPerMillion, completionPerMillion };
}
