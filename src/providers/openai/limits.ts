import { defined } from '../../core/defined.js';
import { RoleZeroError } from '../../core/error.js';
import { modelFacts, type ModelFacts } from './catalogue.js';
import { isLocal } from './hosts.js';
import type { OpenAIOptions } from './options.js';

/**
 * Maximum number of tokens per reply that the catalog sets by default, although models can write up to 128,000. Providers count the maximum
 * of a request against rate limits and credit in advance, and a budget must reserve it.
 */
export const MAX_DEFAULT_OUTPUT = 32_768;

/** Services that enforce a JSON Schema for replies, for the models that the catalog marks accordingly. */
const SCHEMA_HOSTS: ReadonlySet<string> = new Set(['api.openai.com', 'openrouter.ai']);

/** Options with a context window. */
export type CompleteOptions = OpenAIOptions & { contextWindow: number };

/**
 * Returns the catalog entry of the model at this URL. Returns null for unknown models, and for open weights on this machine or in a private
 * network, where the server's settings determine the window.
 */
export function factsAt({ baseURL, model }: Pick<OpenAIOptions, 'baseURL' | 'model'>): ModelFacts | null {
  const facts = modelFacts(model);
  const { hostname } = new URL(baseURL);
  return facts?.openWeights === true && isLocal(hostname) ? null : facts;
}

/**
 * Fills in missing options from the catalog.
 * @throws RoleZeroError `invalid` when the context window is unknown.
 */
export function withKnownLimits(options: OpenAIOptions): CompleteOptions {
  const facts = factsAt(options);
  const contextWindow = options.contextWindow ?? facts?.contextWindow;
  if (contextWindow === undefined) throw unknownWindow(options);
  if (facts === null) return { ...options, contextWindow };
  const { hostname } = new URL(options.baseURL);
  return {
    maxOutputTokens: Math.min(facts.maxOutputTokens, MAX_DEFAULT_OUTPUT),
    images: facts.images,
    jsonSchema: facts.jsonSchema && SCHEMA_HOSTS.has(hostname),
    toolCalls: true, // all models of the catalogue can
    ...defined({ price: facts.price }),
    ...options,
    contextWindow,
  };
}

function unknownWindow({ baseURL, model }: OpenAIOptions): RoleZeroError {
  const { host } = new URL(baseURL);
  const why =
    modelFacts(model) === null
      ? `"${model}" is not in the catalogue of known models`
      : `the server at ${host} decides the window of "${model}", whose weights are open`;
  return new RoleZeroError(
    'invalid',
    `contextWindow is missing: ${why}. Write contextWindow: 32_768 (the tokens that the server really reads), or ask the server: openai(await readLimits({ baseURL, model })).`,
    { option: 'contextWindow', model },
  );
}
