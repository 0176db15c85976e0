import type { NavigateRequest } from '../protocol.js';
import { EMPTY_PAGE, parseUrl, shownAddress, WORKSPACE_ORIGIN } from './addresses.js';
import type { Fetched } from './sources.js';

/** An address of another origin to which a page of the web leads. The policy decides about it before it is opened. */
export interface Lead {
  to: URL;
  how: 'push' | 'replace';
  popup: boolean;
}

/** Returns whether an address is at another origin than the page. */
export function isElsewhere(to: URL, page: string): boolean {
  return to.href !== EMPTY_PAGE && to.origin !== new URL(page).origin;
}

/** Returns the page to show for an address that redirects to another origin. */
export function redirectPage(from: URL, to: URL): Fetched {
  const text = `${from.href} redirects to ${to.origin}, another origin.`;
  return { status: 200, url: from.href, type: 'text/plain', bytes: new TextEncoder().encode(text) };
}

/** Decides whether to follow a navigation. Returns the target, or null if it is not followed, and notices for the model. */
export function followNavigation(
  { url, method, fields }: NavigateRequest,
  page: URL,
  hasReader: boolean,
): { to: URL | null; notices: string[] } {
  const to = parseUrl(url);
  const mayOpen = to !== null && (to.href === EMPTY_PAGE || /^https?:$/.test(to.protocol));
  if (!mayOpen) {
    const shown = JSON.stringify(url.slice(0, 200));
    return { to: null, notices: [`The page wanted to go to ${shown}, which cannot be opened.`] };
  }
  const address = shownAddress(to.href);
  if (!mayLeadTo(to, page, hasReader)) {
    const notice = `The page leads to ${address}. It was not followed: that is another site. Browser.goto opens it.`;
    return { to: null, notices: [notice] };
  }
  if (method !== 'post') return { to, notices: [] };
  const sent = JSON.stringify(Object.fromEntries(fields)).slice(0, 500);
  const notice = `The page sent a form to ${address} with POST: ${sent}. There is no server behind these pages: what was sent is lost, and the page at that address is opened if there is one.`;
  return { to, notices: [notice] };
}

/** Explains why a page of session files was not opened for a role that is exposed: see `FrameRequest.exposed`. */
export function heldNotice(to: string): string {
  return `${shownAddress(to).slice(0, 200)} was not opened: you have read untrusted content and private data. Browser.goto opens it, if the user agrees.`;
}

/** Pages of session files lead only to session files, so that a URL cannot leak their content. Pages of the web lead to the web. */
function mayLeadTo(to: URL, page: URL, hasReader: boolean): boolean {
  if (to.href === EMPTY_PAGE || to.origin === page.origin) return true;
  return to.origin !== WORKSPACE_ORIGIN && page.origin !== WORKSPACE_ORIGIN && hasReader;
}
