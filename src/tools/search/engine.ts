import { describeValue } from '../../core/describe-value.js';
import { RoleZeroError } from '../../core/error.js';
import { isRecord } from '../../core/json.js';

/** One result of a search engine. */
export interface SearchResult {
  /** An http(s) address. */
  link: string;
  /** Short excerpt of the page, as plain text. */
  snippet: string;
  title: string;
}

/** Finds pages, best first. Throws on failure. Results beyond `maxResults` are dropped, and a search that takes too long is canceled. */
export type SearchFunction = (
  query: string,
  request: { maxResults: number; signal: AbortSignal },
) => Promise<readonly SearchResult[]>;

/** Search engine with a name for reports. */
export interface NamedSearchEngine {
  name: string;
  search: SearchFunction;
  /** Returns the text of a page that this engine can read better than a plain request; null for other pages. */
  read?(link: string, signal: AbortSignal): Promise<string | null>;
}

/** A bare function uses its own name, or `custom`. */
export type SearchEngine = SearchFunction | NamedSearchEngine;

/** Returns the engine with a name. @throws RoleZeroError `invalid` for a value that is not an engine. */
export function namedEngine(engine: SearchEngine): NamedSearchEngine {
  if (typeof engine === 'function') return { name: engine.name || 'custom', search: engine };
  if (isRecord(engine) && typeof engine['search'] === 'function') return engine;
  throw new RoleZeroError(
    'invalid',
    `A search engine must be a function, or an object with a search() method, but is ${describeValue(engine)}. Write search({ engine: wikipedia() }).`,
  );
}
