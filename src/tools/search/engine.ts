/** What a search engine found. */
export interface SearchResult {
  /** An http(s) address. */
  link: string;
  /** A few words of the page, as plain text. */
  snippet: string;
  title: string;
}

/** Finds pages, best first; throws when it cannot. What it finds beyond `maxResults` is left out, a search that takes too long given up. */
export type SearchFunction = (
  query: string,
  request: { maxResults: number; signal: AbortSignal },
) => Promise<readonly SearchResult[]>;

/** A way to search that has a name to be told by. */
export interface NamedSearchEngine {
  name: string;
  search: SearchFunction;
  /** The text of a page that this engine has a better way to than a plain request; null for other pages. */
  read?(link: string, signal: AbortSignal): Promise<string | null>;
}

/** A bare function is told by its own name, else as `custom`. */
export type SearchEngine = SearchFunction | NamedSearchEngine;

export function withName(engine: SearchEngine): NamedSearchEngine {
  return typeof engine === 'function' ? { name: engine.name || 'custom', search: engine } : engine;
}
