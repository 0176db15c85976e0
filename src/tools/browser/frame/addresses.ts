import { RoleZeroError } from '../../../core/error.js';

/**
 * Origin under which pages access the session's files. It looks like a web origin so that relative links resolve as usual. The name cannot
 * be registered (RFC 2606), and no request is ever sent to it.
 */
export const WORKSPACE_ORIGIN = 'https://workspace.invalid';
/** Address of a new tab. */
export const EMPTY_PAGE = 'about:blank';

const MAX_URL = 4_000;

/**
 * Parses an address from the model: a file path, a `file:///…` URL, or a complete URL of a web page. Relative addresses resolve against the
 * open page `from`.
 *
 * @throws RoleZeroError `tool-input` if the address cannot be opened.
 */
export function readAddress(text: string, from: string): URL {
  const given = text.trim().replace(/^file:\/\/(?:localhost)?(?=\/)/i, WORKSPACE_ORIGIN);
  const base = from.startsWith(`${WORKSPACE_ORIGIN}/`) ? from : `${WORKSPACE_ORIGIN}/`;
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

/** Returns an address for display to users and models: session files appear as `file:///…`. */
export function shownAddress(url: string): string {
  return url.startsWith(`${WORKSPACE_ORIGIN}/`) ? `file://${url.slice(WORKSPACE_ORIGIN.length)}` : url;
}

/** Returns the path of a session file; null for any other address. */
export function workspacePath(url: URL): string | null {
  if (url.origin !== WORKSPACE_ORIGIN) return null;
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return url.pathname;
  }
}

/** Returns an address without its fragment. */
export function withoutHash(url: string): string {
  const at = url.indexOf('#');
  return at < 0 ? url : url.slice(0, at);
}

/** Parses a URL. Returns null if the text is not a valid URL. */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
