import { describe, RoleZeroError } from '../../base/error.js';
import type { NamedSearchEngine } from './engine.js';
import { htmlText } from './html-text.js';
import { fetchText } from './http.js';
import { within } from './within.js';

/** Characters of one page (spec 20). */
const MAX_PAGE = 4_000;
/** Characters. */
const MAX_PROBLEM = 200;
/** A page's words are rarely further down. */
const MAX_PAGE_BYTES = 1024 * 1024;

/** Gives the text of a page; through a proxy of yours, say. HTML is taken for HTML. */
export type PageReader = (url: string, signal: AbortSignal) => Promise<string>;

/** A page as it was read, or why it was not. */
export type Page = { link: string; text: string } | { link: string; problem: string };

export interface Reading {
  engine: NamedSearchEngine;
  read: PageReader;
  /** Milliseconds for each page. */
  timeoutMs: number;
  signal: AbortSignal;
}

/** All pages at the same time; the order stays. */
export function readPages(links: readonly string[], reading: Reading): Promise<Page[]> {
  return Promise.all(links.map((link) => readPage(link, reading)));
}

async function readPage(link: string, { engine, read, timeoutMs, signal }: Reading): Promise<Page> {
  try {
    const text: unknown = await within(timeoutMs, 'the page', signal, async (limited) => {
      return (await engine.read?.(link, limited)) ?? read(link, limited);
    });
    const page = pageText(typeof text === 'string' ? text : '');
    return page === null ? { link, problem: 'it shows no text to us' } : { link, text: page };
  } catch (error) {
    signal.throwIfAborted();
    return { link, problem: describe(error).slice(0, MAX_PROBLEM) };
  }
}

/** Line breaks become spaces, the end is cut off; null for what says that the page was not shown. */
export function pageText(text: string): string | null {
  const words = (/^\s*(<!doctype html|<html)/i.test(text) ? htmlText(text) : text)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
  return words === '' || /^(Fail to load page|Access Denied)/.test(words) ? null : words.slice(0, MAX_PAGE);
}

/** Fetches a page like any script of this origin: most servers do not let it (CORS). */
export const fetchPage: PageReader = async (url, signal) => {
  const { text, type } = await fetchText(url, signal, MAX_PAGE_BYTES);
  if (type === 'text/html' || type === 'application/xhtml+xml') return htmlText(text);
  if (type === '' || type.startsWith('text/') || type === 'application/json') return text;
  throw new RoleZeroError('tool-failed', `it is no text but ${type}`, { url, type });
};
