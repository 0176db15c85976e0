import { RoleZeroError } from '../../../core/error.js';
import type { ReadableFiles } from '../../../core/page-tool.js';
import { VIRTUAL_LOCATION } from '../virtual-location.js';
import { parseUrl, WORKSPACE_ORIGIN, workspacePath } from './addresses.js';
import { asHtml, assemble } from './document/assemble.js';
import { sourceFor, workspaceSource, type PageSource } from './sources.js';
import { parseHtml } from './trusted.js';

/** Something that a page uses and that its file does not include. */
interface LeftOut {
  /** Path of the session file, or the address on the network. */
  address: string;
  /**
   * `missing`: there is no such file; `network`: it is on the network, which the file does not access; `page`: another page that it links
   * to; `run-time`: a script names this file, and may load it while the page runs.
   */
  reason: 'missing' | 'network' | 'page' | 'run-time';
}

/** A page as one file. */
export interface StandalonePage {
  /** An HTML document with everything that could be included. Its policy permits no network access. */
  html: string;
  leftOut: readonly LeftOut[];
}

/** Scripts ask this function for their address: see `virtualLocation`. Outside of the agent's browser, it is the real one. */
const REAL_LOCATION = `window.${VIRTUAL_LOCATION} = (location) => location;`;

/**
 * Returns a page of the session as one HTML file, which opens from a disk and loads nothing: style sheets, scripts, modules, images, fonts,
 * and media of the session are included. Lists what could not be included. Needs a document, so call it on a page.
 *
 * @example const { html, leftOut } = await standalonePage(session.files, '/index.html');
 * @throws RoleZeroError `not-found` when there is no such file.
 */
export async function standalonePage(
  files: Pick<ReadableFiles, 'list' | 'stat' | 'readBytes'>,
  path: string,
): Promise<StandalonePage> {
  const url = parseUrl(encodeURI(path), `${WORKSPACE_ORIGIN}/`);
  const signal = new AbortController().signal;
  const load = workspaceSource(files);
  const page = url === null ? null : await load(url, signal);
  if (url === null || page?.status !== 200)
    throw new RoleZeroError('not-found', page?.problem ?? `There is no file ${path}.`);
  const at = new URL(page.url);
  const used = new Set([workspacePath(at)]);
  const leftOut: LeftOut[] = [];
  const texts: string[] = [];
  const source: PageSource = async (address, stop) => {
    const found = await sourceFor(at, load)(address, stop);
    const own = workspacePath(address);
    if (found.status === 200) {
      used.add(own);
      if (/javascript|ecmascript/.test(found.type)) texts.push(new TextDecoder().decode(found.bytes));
    } else leftOut.push({ address: own ?? address.href, reason: own === null ? 'network' : 'missing' });
    return found;
  };
  const document = asHtml(page);
  const { html } = await assemble(document, at, {
    source,
    signal,
    network: [],
    driver: REAL_LOCATION,
    isStandalone: true,
  });
  texts.push(...inlineScriptTexts(document));
  const left = [...leftOut, ...linkedPages(document, at, used)];
  const known = new Set([...used, ...left.map(({ address }) => address)]);
  const others = (await files.list()).filter(({ type, path: other }) => type === 'file' && !known.has(other));
  const named = others.filter(({ path: other }) => texts.some((text) => isNamedIn(text, other)));
  return {
    html,
    leftOut: [...left, ...named.map(({ path: address }) => ({ address, reason: 'run-time' as const }))],
  };
}

function inlineScriptTexts(html: string): string[] {
  return [...parseHtml(html).querySelectorAll('script:not([src])')].map(({ textContent }) => textContent);
}

/** Returns the other pages of the session that a page links to or shows in a frame, each once. */
function linkedPages(html: string, at: URL, used: ReadonlySet<string | null>): LeftOut[] {
  const document = parseHtml(html);
  const addresses = [
    ...[...document.querySelectorAll('a[href], area[href]')].map((link) => link.getAttribute('href')),
    ...[...document.querySelectorAll('iframe[src]')].map((frame) => frame.getAttribute('src')),
  ];
  const paths = addresses.flatMap((address) => {
    const url = parseUrl(address ?? '', at);
    const path = url === null ? null : workspacePath(url);
    return path === null || used.has(path) ? [] : [path];
  });
  return [...new Set(paths)].map((address) => ({ address, reason: 'page' }));
}

/** Returns whether a script contains the name of a file as a text. */
function isNamedIn(script: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return ['"', "'", '`'].some((quote) => script.includes(`${name}${quote}`));
}
