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

export function withName(engine: SearchEngine): NamedSearchEngine {
  return typeof engine === 'function' ? { name: engine.name || 'custom', search: engine } : engine;
}
