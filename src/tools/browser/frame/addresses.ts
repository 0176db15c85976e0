import { RoleZeroError } from '../../../base/error.js';

/**
 * The origin under which pages know the session's files. It must look like the web's, so that relative links resolve as everywhere;
 * nobody can own it (RFC 2606), and nothing is ever asked of it.
 */
export const WORKSPACE = 'https://workspace.invalid';
/** What a new tab shows. */
export const EMPTY_PAGE = 'about:blank';

const MAX_URL = 4_000;

/**
 * The address that a model means: a file by its path or as `file:///…`, a page of the web by its whole URL; a relative one from the page
 * that is open.
 * @throws RoleZeroError `tool-input` for what cannot be opened at all.
 */
export function readAddress(text: string, from: string): URL {
  const given = text.trim().replace(/^file:\/\/(?:localhost)?(?=\/)/i, WORKSPACE);
  const base = from.startsWith(`${WORKSPACE}/`) ? from : `${WORKSPACE}/`;
  const url = given === '' || given.length > MAX_URL ? null : parseUrl(given, base);
  if (url === null)
    throw new RoleZeroError(
      'tool-input',
      `"${text.slice(0, 200)}" is no address. Give a path such as /index.html, or a URL.`,
    );
  if (url.protocol === 'http:' || url.protocol === 'https:' || url.href === EMPTY_PAGE) {
    url.username = '';
    url.password = '';
    return url;
  }
  throw new RoleZeroError(
    'tool-input',
    `A ${url.protocol} address cannot be opened here. Open a file of the workspace by its path, or a page with http or https.`,
  );
}

/** The address for people and models: files are `file:///…`. */
export function shownAddress(url: string): string {
  return url.startsWith(`${WORKSPACE}/`) ? `file://${url.slice(WORKSPACE.length)}` : url;
}

/** The path of a file of the session; null for an address elsewhere. */
export function workspacePath(url: URL): string | null {
  if (url.origin !== WORKSPACE) return null;
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return url.pathname;
  }
}

/** An address without its fragment. */
export function withoutHash(url: string): string {
  const at = url.indexOf('#');
  return at < 0 ? url : url.slice(0, at);
}

/** Null for what is no address. */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
