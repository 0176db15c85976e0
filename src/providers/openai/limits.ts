import { defined } from '../../base/defined.js';
import { RoleZeroError } from '../../base/error.js';
import { modelFacts, type ModelFacts } from './catalogue.js';
import { isLoopback, isPrivate } from './hosts.js';
import type { OpenAIOptions } from './options.js';

/**
 * Maximum tokens of a reply that the catalogue alone gives a model, which can write up to 128,000. Providers count the maximum of a request
 * against rate limits and credit before it is used, and a budget has to expect it.
 */
export const MAX_DEFAULT_OUTPUT = 32_768;

/** Services whose chat completions hold replies to a JSON Schema, for models of which the catalogue says so. */
const SCHEMA_HOSTS: ReadonlySet<string> = new Set(['api.openai.com', 'openrouter.ai']);

/** Options with a context window. */
export type CompleteOptions = OpenAIOptions & { contextWindow: number };

/**
 * Returns what the catalogue says of the model at this address. Null for models that it does not list, and for open weights on this machine
 * or in a private network: there the server's settings decide the window.
 */
export function factsAt({ baseURL, model }: Pick<OpenAIOptions, 'baseURL' | 'model'>): ModelFacts | null {
  const facts = modelFacts(model);
  const { hostname } = new URL(baseURL);
  return facts?.openWeights === true && (isLoopback(hostname) || isPrivate(hostname)) ? null : facts;
}

/** Fills in what the options leave open from the catalogue. @throws RoleZeroError `invalid` when the context window is unknown. */
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
