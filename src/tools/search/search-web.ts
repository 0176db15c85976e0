import { describe, RoleZeroError } from '../../core/error.js';
import { isUrl } from '../../core/is-url.js';
import { isRecord } from '../../core/json.js';
import { namedEngine, type NamedSearchEngine, type SearchEngine, type SearchResult } from './engine.js';
import { withTimeLimit } from './time-limit.js';

/** Default time limit of one engine in ms. */
export const ENGINE_TIMEOUT = 10_000;
const MAX_LINK = 2_000;
const MAX_TITLE = 200;
const MAX_SNIPPET = 500;

export interface SearchWebOptions {
  /**
   * Maximum number of results.
   *
   * @default 8
   */
  maxResults?: number;
  /**
   * Returns one text, with an empty line between results, instead of a list.
   *
   * @default true
   */
  asString?: boolean;
  /**
   * Returns an empty text or list instead of throwing.
   *
   * @default false
   */
  ignoreErrors?: boolean;
  /**
   * Time limit of each engine in ms.
   *
   * @default 10_000
   */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/**
 * Queries one engine after the other until one returns results. Use it for your own tools.
 *
 * @throws RoleZeroError `tool-failed` if every engine failed, with the reason for each. If there is only one engine, throws its own error.
 * If `signal` aborts, throws its reason, even with `ignoreErrors`.
 */
export function searchWeb(
  engines: SearchEngine | readonly SearchEngine[],
  query: string,
  options: SearchWebOptions & { asString: false },
): Promise<SearchResult[]>;
export function searchWeb(
  engines: SearchEngine | readonly SearchEngine[],
  query: string,
  options?: SearchWebOptions,
): Promise<string>;
export async function searchWeb(
  engines: SearchEngine | readonly SearchEngine[],
  query: string,
  options: SearchWebOptions = {},
): Promise<string | SearchResult[]> {
  const { asString = true, maxResults = 8, timeoutMs = ENGINE_TIMEOUT } = options;
  const signal = options.signal ?? new AbortController().signal;
  const list = 'length' in engines && typeof engines !== 'function' ? engines : [engines];
  let results: SearchResult[] = [];
  try {
    ({ results } = await searchInTurn(list.map(namedEngine), query, { maxResults, timeoutMs, signal }));
  } catch (error) {
    if (options.ignoreErrors !== true || signal.aborted) throw error;
  }
  return asString ? results.map(resultText).join('\n\n') : results;
}

/** Results, and the engine that returned them. */
export interface FoundResults {
  engine: NamedSearchEngine;
  results: SearchResult[];
  /** Outcome of each engine that was queried before, one sentence each. */
  passedOver: string[];
}

/** Returns the results of the first engine that finds something, or of the first engine that works. Throws as `searchWeb` does. */
export async function searchInTurn(
  engines: readonly NamedSearchEngine[],
  query: string,
  { maxResults, timeoutMs, signal }: { maxResults: number; timeoutMs: number; signal: AbortSignal },
): Promise<FoundResults> {
  const passedOver: string[] = [];
  let empty: NamedSearchEngine | null = null;
  let failure: unknown;
  for (const engine of engines) {
    try {
      const found: unknown = await withTimeLimit(timeoutMs, engine.name, signal, (limited) =>
        engine.search(query, { maxResults, signal: limited }),
      );
      const results = checkedResults(found, maxResults, engine.name);
      if (results.length > 0) return { engine, results, passedOver };
      empty ??= engine;
      passedOver.push(`${engine.name} found nothing`);
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
      passedOver.push(`${engine.name} failed: ${describe(error).replace(/\.$/, '')}`);
    }
  }
  if (empty !== null) {
    const own = `${empty.name} found nothing`;
    return { engine: empty, results: [], passedOver: passedOver.filter((note) => note !== own) };
  }
  if (engines.length === 1) throw failure;
  throw new RoleZeroError(
    'tool-failed',
    `No search engine answered. ${passedOver.join('. ')}.`,
    { passedOver },
    failure,
  );
}

/** Validates results. An engine's results are untrusted: only web addresses remain, and all texts are truncated. */
function checkedResults(found: unknown, maxResults: number, name: string): SearchResult[] {
  if (!Array.isArray(found))
    throw new RoleZeroError('tool-failed', `${name} did not give a list of results.`, { engine: name });
  const results: SearchResult[] = [];
  for (const item of found as unknown[]) {
    if (results.length >= maxResults) break;
    if (!isRecord(item) || !isWebAddress(item['link'])) continue;
    results.push({
      link: item['link'],
      snippet: cleanText(item['snippet'], MAX_SNIPPET),
      title: cleanText(item['title'], MAX_TITLE),
    });
  }
  return results;
}

function isWebAddress(link: unknown): link is string {
  return (
    typeof link === 'string' && link.length <= MAX_LINK && /^https?:\/\/[^\s]+$/i.test(link) && isUrl(link)
  );
}

function cleanText(text: unknown, length: number): string {
  return typeof text === 'string' ? text.slice(0, length).split(/\s+/).join(' ').trim() : '';
}

function resultText({ title, link, snippet }: SearchResult): string {
  return [title, link, snippet].filter((part) => part !== '').join('\n');
}
