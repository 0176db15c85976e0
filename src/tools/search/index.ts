export type { NamedSearchEngine, SearchEngine, SearchFunction, SearchResult } from './engine.js';
export type { PageReader } from './pages.js';
export { search, type SearchOptions } from './search.js';
export { searchWeb, type SearchWebOptions } from './search-web.js';
export { searxng } from './searxng.js';
export { wikipedia } from './wikipedia.js';
