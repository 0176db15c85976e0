import { describe, RoleZeroError } from '../../base/error.js';
import { isRecord } from '../../base/json.js';
import { isUrl } from '../../base/is-url.js';
import { withName, type NamedSearchEngine, type SearchEngine, type SearchResult } from './engine.js';
import { within } from './within.js';

/** Milliseconds. */
export const ENGINE_TIMEOUT = 10_000;
const MAX_LINK = 2_000;
const MAX_TITLE = 200;
const MAX_SNIPPET = 500;

export interface SearchWebOptions {
  /** Default 8. */
  maxResults?: number;
  /** One text, an empty line between results, instead of a list; default true. */
  asString?: boolean;
  /** Give an empty text or list instead of throwing; default false. */
  ignoreErrors?: boolean;
  /** For each engine, in milliseconds; default 10,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/**
 * Asks one engine after the other until one finds something (spec 20): for tools of your own.
 *
 * @throws RoleZeroError `tool-failed` when every engine failed, naming why each did; of one engine alone its own error; the reason of
 * `signal` when that aborts, with `ignoreErrors` too.
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
    ({ results } = await searchInTurn(list.map(withName), query, { maxResults, timeoutMs, signal }));
  } catch (error) {
    if (options.ignoreErrors !== true || signal.aborted) throw error;
  }
  return asString ? results.map(asText).join('\n\n') : results;
}

/** What was found, and by whom. */
export interface Found {
  engine: NamedSearchEngine;
  results: SearchResult[];
  /** What became of the engines that were asked before, one sentence each. */
  passedOver: string[];
}

/** The first engine that finds something, else the first that works at all; see `searchWeb` for what it throws. */
export async function searchInTurn(
  engines: readonly NamedSearchEngine[],
  query: string,
  { maxResults, timeoutMs, signal }: { maxResults: number; timeoutMs: number; signal: AbortSignal },
): Promise<Found> {
  const passedOver: string[] = [];
  let empty: NamedSearchEngine | null = null;
  let failure: unknown;
  for (const engine of engines) {
    try {
      const found: unknown = await within(timeoutMs, engine.name, signal, (limited) =>
        engine.search(query, { maxResults, signal: limited }),
      );
      const results = checked(found, maxResults, engine.name);
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

/** What an engine gives is anybody's text: only web addresses are kept, and nothing without bounds. */
function checked(found: unknown, maxResults: number, name: string): SearchResult[] {
  if (!Array.isArray(found))
    throw new RoleZeroError('tool-failed', `${name} did not give a list of results.`, { engine: name });
  const results: SearchResult[] = [];
  for (const item of found as unknown[]) {
    if (results.length >= maxResults) break;
    if (!isRecord(item) || !isWebAddress(item['link'])) continue;
    results.push({
      link: item['link'],
      snippet: oneLine(item['snippet'], MAX_SNIPPET),
      title: oneLine(item['title'], MAX_TITLE),
    });
  }
  return results;
}

function isWebAddress(link: unknown): link is string {
  return (
    typeof link === 'string' && link.length <= MAX_LINK && /^https?:\/\/[^\s]+$/i.test(link) && isUrl(link)
  );
}

function oneLine(text: unknown, length: number): string {
  return typeof text === 'string' ? text.slice(0, length).split(/\s+/).join(' ').trim() : '';
}

function asText({ title, link, snippet }: SearchResult): string {
  return [title, link, snippet].filter((part) => part !== '').join('\n');
}
