import { RoleZeroError } from '../../core/error.js';
import { isUrl } from '../../core/is-url.js';
import { isRecord } from '../../core/json.js';
import type { NamedSearchEngine, SearchResult } from './engine.js';
import { htmlText } from './html-text.js';
import { fetchJson } from './http.js';

/** The limit of Wikipedia for anonymous users. */
const MAX_RESULTS = 50;

/**
 * Searches with your own SearXNG instance. It requires two settings in `settings.yml` that are off by default: `json` in `search.formats`,
 * and, for a page of another origin, the header `Access-Control-Allow-Origin` in `server.default_http_headers`. Public instances have
 * neither.
 *
 * @param options `baseURL`: the address of its start page.
 * @throws RoleZeroError `invalid` if that is not an http(s) address.
 */
export function searxng({ baseURL }: { baseURL: string }): NamedSearchEngine {
  if (!isUrl(baseURL) || !/^https?:/i.test(baseURL))
    throw new RoleZeroError(
      'invalid',
      `The baseURL of a SearXNG must be an http(s) address, not "${baseURL}".`,
    );
  return {
    name: 'searxng',
    async search(query, { signal }) {
      const url = new URL('search', baseURL.endsWith('/') ? baseURL : `${baseURL}/`);
      url.search = new URLSearchParams({ q: query, format: 'json' }).toString();
      const answer = await fetchJson(url, signal).catch((error: unknown) => {
        throw withHint(error);
      });
      const results =
        isRecord(answer) && Array.isArray(answer['results']) ? (answer['results'] as unknown[]) : [];
      return results.flatMap((result): SearchResult[] => {
        if (!isRecord(result)) return [];
        const { url: link, title, content } = result;
        return [{ link: textOrEmpty(link), title: textOrEmpty(title), snippet: textOrEmpty(content) }];
      });
    },
  };
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Adds the usual cause of a 403. */
function withHint(error: unknown): unknown {
  if (!(error instanceof RoleZeroError) || error.detail['status'] !== 403) return error;
  const hint = `${error.message}; json must be among search.formats in its settings.yml`;
  return new RoleZeroError(error.code, hint, error.detail, error);
}

/**
 * Searches Wikipedia through its public API, which any web page may access, and reads the articles in the same way. It needs no key, no
 * proxy and no server.
 *
 * @param options `baseURL` of another language, or of a MediaWiki whose API is at `/w/api.php`; default `https://en.wikipedia.org`.
 */
export function wikipedia({ baseURL = 'https://en.wikipedia.org' } = {}): NamedSearchEngine {
  const api = new URL('/w/api.php', baseURL);
  const articles = new URL('/wiki/', baseURL).href;
  return {
    name: 'wikipedia',
    async search(text, { maxResults, signal }) {
      const srlimit = String(Math.min(maxResults, MAX_RESULTS));
      const parameters = { list: 'search', srsearch: text, srprop: 'snippet', srlimit };
      const hits = await query(api, parameters, 'search', signal);
      return hits.flatMap((hit) => wikipediaResult(hit, articles));
    },
    async read(link, signal) {
      if (!link.startsWith(articles)) return null;
      const titles = decodeURIComponent(link.slice(articles.length));
      const parameters = { prop: 'extracts', explaintext: '1', redirects: '1', titles };
      const [page] = await query(api, parameters, 'pages', signal);
      return isRecord(page) && typeof page['extract'] === 'string' ? page['extract'] : '';
    },
  };
}

/** Returns one list of the API's answer; empty when it is missing. @throws RoleZeroError `tool-failed` with the error of the API. */
async function query(
  api: URL,
  parameters: Record<string, string>,
  list: 'search' | 'pages',
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const url = new URL(api);
  const common = { action: 'query', format: 'json', formatversion: '2', origin: '*' };
  url.search = new URLSearchParams({ ...common, ...parameters }).toString();
  const answer = await fetchJson(url, signal);
  const { query: found, error } = isRecord(answer) ? answer : {};
  if (isRecord(error))
    throw new RoleZeroError('tool-failed', `its API reported: ${String(error['info']).slice(0, 300)}`);
  const entries: unknown = isRecord(found) ? found[list] : null;
  return Array.isArray(entries) ? (entries as unknown[]) : [];
}

function wikipediaResult(hit: unknown, articles: string): SearchResult[] {
  if (!isRecord(hit) || typeof hit['title'] !== 'string') return [];
  const { title, snippet } = hit;
  const link = articles + encodeURIComponent(title.replaceAll(' ', '_'));
  return [{ link, title, snippet: typeof snippet === 'string' ? htmlText(snippet) : '' }];
}
