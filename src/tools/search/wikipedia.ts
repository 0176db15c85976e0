import { RoleZeroError } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import type { NamedSearchEngine, SearchResult } from './engine.js';
import { htmlText } from './html-text.js';
import { fetchJson } from './http.js';

/** The engine's limit for anonymous users is 50. */
const MOST_RESULTS = 50;

/**
 * Searches Wikipedia through its public API, which any web page may access, and reads the articles in the same way. It needs no key, no
 * proxy and no server.
 *
 * @param options `baseURL` of another language, or of a MediaWiki whose API is at `/w/api.php`; default `https://en.wikipedia.org`.
 */
export function wikipedia({ baseURL = 'https://en.wikipedia.org' } = {}): NamedSearchEngine {
  const api = new URL('/w/api.php', baseURL);
  const articles = new URL('/wiki/', baseURL).href;
  const query = async (parameters: Record<string, string>, signal: AbortSignal): Promise<unknown> => {
    const url = new URL(api);
    const common = { action: 'query', format: 'json', formatversion: '2', origin: '*' };
    url.search = new URLSearchParams({ ...common, ...parameters }).toString();
    const answer = await fetchJson(url, signal);
    const { query: found, error } = isRecord(answer) ? answer : {};
    if (isRecord(error))
      throw new RoleZeroError('tool-failed', `its API reported: ${String(error['info']).slice(0, 300)}`);
    return found;
  };
  return {
    name: 'wikipedia',
    async search(text, { maxResults, signal }) {
      const found = await query(
        {
          list: 'search',
          srsearch: text,
          srprop: 'snippet',
          srlimit: String(Math.min(maxResults, MOST_RESULTS)),
        },
        signal,
      );
      const hits = isRecord(found) && Array.isArray(found['search']) ? (found['search'] as unknown[]) : [];
      return hits.flatMap((hit): SearchResult[] => {
        if (!isRecord(hit) || typeof hit['title'] !== 'string') return [];
        const { title, snippet } = hit;
        const link = articles + encodeURIComponent(title.replaceAll(' ', '_'));
        return [{ link, title, snippet: typeof snippet === 'string' ? htmlText(snippet) : '' }];
      });
    },
    async read(link, signal) {
      if (!link.startsWith(articles)) return null;
      const title = decodeURIComponent(link.slice(articles.length));
      const found = await query(
        { prop: 'extracts', explaintext: '1', redirects: '1', titles: title },
        signal,
      );
      const [page] = isRecord(found) && Array.isArray(found['pages']) ? (found['pages'] as unknown[]) : [];
      return isRecord(page) && typeof page['extract'] === 'string' ? page['extract'] : '';
    },
  };
}
