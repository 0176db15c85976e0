import { describe, RoleZeroError } from '../../core/error.js';
import type { NamedSearchEngine } from './engine.js';
import { htmlText } from './html-text.js';
import { fetchText } from './http.js';
import { inTime } from './within.js';

/** Maximum characters of one page. */
const MAX_PAGE = 4_000;
/** Maximum characters of an error description. */
const MAX_PROBLEM_CHARACTERS = 200;
/** Maximum bytes to read of one page; text is rarely further down. */
const MAX_PAGE_BYTES = 1024 * 1024;

/** Returns the text of a page, for example through your own proxy. HTML is detected and converted to text. */
export type PageReader = (url: string, signal: AbortSignal) => Promise<string>;

/** Text of a page, or the reason why it could not be read. */
export type FetchedPage = { link: string; text: string } | { link: string; problem: string };

export interface PageReading {
  engine: NamedSearchEngine;
  read: PageReader;
  /** Milliseconds per page. */
  timeoutMs: number;
  signal: AbortSignal;
}

/** Reads all pages in parallel, in the original order. */
export function readPages(links: readonly string[], reading: PageReading): Promise<FetchedPage[]> {
  return Promise.all(links.map((link) => readPage(link, reading)));
}

async function readPage(
  link: string,
  { engine, read, timeoutMs, signal }: PageReading,
): Promise<FetchedPage> {
  try {
    const text: unknown = await inTime(timeoutMs, 'the page', signal, async (limited) => {
      return (await engine.read?.(link, limited)) ?? read(link, limited);
    });
    const page = readableText(typeof text === 'string' ? text : '');
    return page === null ? { link, problem: 'it shows no text to us' } : { link, text: page };
  } catch (error) {
    signal.throwIfAborted();
    return { link, problem: describe(error).slice(0, MAX_PROBLEM_CHARACTERS) };
  }
}

/** Joins lines with spaces and truncates the text. Returns null if the text says that the page was not shown. */
export function readableText(text: string): string | null {
  const words = (/^\s*(<!doctype html|<html)/i.test(text) ? htmlText(text) : text)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
  return words === '' || /^(Fail to load page|Access Denied)/.test(words) ? null : words.slice(0, MAX_PAGE);
}

/** Fetches a page as any script of this origin does. Most servers do not permit this (CORS). */
export const fetchPage: PageReader = async (url, signal) => {
  const { text, type } = await fetchText(url, signal, MAX_PAGE_BYTES);
  if (type === 'text/html' || type === 'application/xhtml+xml') return htmlText(text);
  if (type === '' || type.startsWith('text/') || type === 'application/json') return text;
  throw new RoleZeroError('tool-failed', `it is no text but ${type}`, { url, type });
};
