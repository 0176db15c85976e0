import * as z from 'zod/mini';
import { RoleZeroError } from '../../base/error.js';
import { inputSchema } from '../../base/schema.js';
import { defineTool, type Tool, type ToolContext } from '../../base/tool.js';
import { withName, type NamedSearchEngine, type SearchEngine, type SearchResult } from './engine.js';
import { fetchPage, readPages, type Page, type PageReader } from './pages.js';
import { answerPrompt, citations, rankPrompt, rewritePrompt } from './prompts.js';
import { ranking, rewrittenQuery } from './replies.js';
import { ENGINE_TIMEOUT, searchInTurn, type Found } from './search-web.js';

/** How to search; at least one engine is needed. */
export interface SearchOptions {
  /** Asked first. */
  engine?: SearchEngine;
  /** Asked after it in their order, when one fails, takes too long or finds nothing. */
  engines?: readonly SearchEngine[];
  /**
   * Gives the text of a page that the engine cannot read itself. Default: a plain request, which few servers of other origins allow
   * (CORS); a proxy or reader service of yours goes here. Where no page can be read, the answer rests on the engine's snippets.
   */
  read?: PageReader;
  /** Results that are ranked; default 10. */
  maxResults?: number;
  /** Pages that are read for one answer; default 4. */
  maxLinks?: number;
  /** Milliseconds for each engine; default 10,000. */
  engineTimeoutMs?: number;
  /** Milliseconds for the pages, which are read at the same time; default 20,000. */
  pageTimeoutMs?: number;
  /** Tells the model what is outdated; default `Date.now`. */
  now?: () => number;
}

/** Tokens (spec 20). */
const MAX_ANSWER = 1_024;

const DESCRIPTION =
  'Search the web and answer a question from what is found there: for fresh or detailed facts you do not know. Gives the answer and its sources.';

/**
 * `SearchEnhancedQA.run` (spec 20): the role's model turns the question into a query, chooses among what an engine finds, and answers
 * from the pages. Each of its replies is kept, so that a search that is interrupted goes on where it was. A role that has it works on
 * SEARCH requests instead of answering from what its model remembers.
 *
 * @example search({ engines: [searxng({ baseURL: 'https://search.example' }), wikipedia()] })
 * @throws RoleZeroError `invalid` when there is no engine.
 */
export function search(options: SearchOptions): Tool[] {
  const engines = [...(options.engine === undefined ? [] : [options.engine]), ...(options.engines ?? [])].map(
    withName,
  );
  if (engines.length === 0)
    throw new RoleZeroError('invalid', 'search needs at least one engine: search({ engine: wikipedia() }).');
  return [
    defineTool({
      name: 'SearchEnhancedQA.run',
      description: DESCRIPTION,
      input: inputSchema(z.object({ query: z.string(), rewrite_query: z._default(z.boolean(), true) })),
      aliases: { question: 'query', q: 'query' },
      tags: ['web', 'search'],
      effect: 'egress-read',
      timeoutMs: Infinity, // engines, pages and model have limits of their own
      run: ({ query, rewrite_query }, context) =>
        new Search(engines, options, context).answer(query.trim(), rewrite_query),
    }),
  ];
}

/** One question on its way. */
class Search {
  readonly #engines: readonly NamedSearchEngine[];
  readonly #options: SearchOptions;
  readonly #context: ToolContext;

  constructor(engines: readonly NamedSearchEngine[], options: SearchOptions, context: ToolContext) {
    this.#engines = engines;
    this.#options = options;
    this.#context = context;
  }

  async answer(question: string, rewrite: boolean): Promise<string> {
    if (question === '')
      throw new RoleZeroError('tool-input', 'The query is empty. Say in words what to search for.');
    const query = rewrite ? await this.#rewritten(question) : question;
    const found = await this.#found(query);
    this.#context.untrusted?.(`search: ${found.engine.name}`);
    const results = await this.#ranked(question, found.results);
    const pages = await this.#pages(found.engine, results);
    const { context, from } = material(results, pages);
    const answer = await this.#context.ask?.({
      purpose: 'search-answer',
      text: answerPrompt(question, context),
      maxOutputTokens: MAX_ANSWER,
    });
    return `${answer ?? context}\n\n${sources(query, found, from, pages)}`;
  }

  async #rewritten(question: string): Promise<string> {
    const reply = await this.#tryAsking({ purpose: 'search-rewrite', text: rewritePrompt(question) });
    return rewrittenQuery(reply, question);
  }

  async #found(query: string): Promise<Found> {
    const { maxResults = 10, engineTimeoutMs = ENGINE_TIMEOUT } = this.#options;
    this.#context.output(`Searching for: ${query}\n`);
    const { signal } = this.#context;
    const found = await searchInTurn(this.#engines, query, {
      maxResults,
      timeoutMs: engineTimeoutMs,
      signal,
    });
    const links = found.results.map(({ link }) => `${link}\n`);
    this.#context.output(`Found by ${found.engine.name}: ${links.length}\n${links.join('')}`);
    return found;
  }

  /** The results worth reading, best first. */
  async #ranked(question: string, results: readonly SearchResult[]): Promise<SearchResult[]> {
    const { maxLinks = 4, now = Date.now } = this.#options;
    if (results.length === 0) return [];
    const text = rankPrompt(question, results, now());
    const order = ranking(await this.#tryAsking({ purpose: 'search-rank', text }), results.length);
    return order.slice(0, maxLinks).flatMap((index) => results[index] ?? []);
  }

  async #pages(engine: NamedSearchEngine, results: readonly SearchResult[]): Promise<Page[]> {
    const { read = fetchPage, pageTimeoutMs = 20_000 } = this.#options;
    if (results.length > 0) this.#context.output(`Reading ${results.length} of them.\n`);
    return readPages(
      results.map(({ link }) => link),
      { engine, read, timeoutMs: pageTimeoutMs, signal: this.#context.signal },
    );
  }

  /** What the model says; nothing where it cannot say anything and there is a way without. */
  async #tryAsking(question: Parameters<NonNullable<ToolContext['ask']>>[0]): Promise<string> {
    try {
      return (await this.#context.ask?.(question)) ?? '';
    } catch (error) {
      const fault = error instanceof RoleZeroError && /^(model-|context-overflow$)/.test(error.code);
      if (!fault || this.#context.signal.aborted) throw error;
      return '';
    }
  }
}

/** What the answer rests on: the pages that could be read, else what the engine tells about them. */
function material(
  results: readonly SearchResult[],
  pages: readonly Page[],
): { context: string; from: 'pages' | 'snippets' | 'nothing' } {
  const texts = pages.flatMap((page) => ('text' in page ? [page.text] : []));
  if (texts.length > 0) return { context: citations(texts), from: 'pages' };
  const snippets = results.map(({ title, snippet }) => `${title}: ${snippet}`);
  return { context: citations(snippets), from: snippets.length > 0 ? 'snippets' : 'nothing' };
}

/** Who searched for what, and what the answer was taken from. */
function sources(query: string, found: Found, from: string, pages: readonly Page[]): string {
  const before = found.passedOver.length === 0 ? '' : ` (${found.passedOver.join('; ')})`;
  const lines = [`Search engine: ${found.engine.name}${before}`, `Query: ${query}`];
  if (from === 'nothing')
    lines.push(found.results.length === 0 ? 'Nothing was found.' : 'Nothing of what was found is relevant.');
  if (from === 'snippets')
    lines.push('No page could be read; the answer rests on the short texts of the search engine.');
  for (const page of pages)
    lines.push('text' in page ? `Source: ${page.link}` : `Not read: ${page.link} (${page.problem})`);
  return lines.join('\n');
}
