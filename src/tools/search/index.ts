export type { SearchEngine } from './engine.js';
export { search } from './search.js';
export { searchWeb } from './search-web.js';
export { searxng } from './engines.js';
export { wikipedia } from './engines.js';
