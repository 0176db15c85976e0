import { RoleZeroError } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import { isUrl } from '../../core/is-url.js';
import type { NamedSearchEngine, SearchResult } from './engine.js';
import { fetchJson } from './http.js';

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
