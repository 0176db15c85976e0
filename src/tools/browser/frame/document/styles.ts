import { parseUrl } from '../addresses.js';
import { dataUrl, type Resources } from './resources.js';

/** Maximum depth of style sheets that import each other. */
const MAX_IMPORT_DEPTH = 5;

const IMPORT = /@import\s+(?:url\(\s*)?(["']?)([^"')\s;]+)\1\s*\)?/gi;
const URL_FUNCTION = /url\(\s*(["']?)([^"')]*)\1\s*\)/gi;

/** Matches a comment, or a text or address that may look like one. */
const COMMENT_OR_TEXT =
  /\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|url\(\s*[^"')\s][^)]*\)/gi;

/** Returns CSS with empty comments, and with its files, and the files of its imports, inlined as `data:` URLs. */
export async function inlineStyles(
  styles: string,
  base: URL,
  resources: Resources,
  depth = 0,
): Promise<string> {
  const css = styles.replace(COMMENT_OR_TEXT, (part) => (part.startsWith('/*') ? '/**/' : part));
  const imported = await replaceEach(css, IMPORT, async (whole, [, , address = '']) => {
    const url = elsewhere(address, base);
    if (url === null || depth >= MAX_IMPORT_DEPTH) return whole;
    const sheet = await styleSheet(url, resources, depth + 1);
    return sheet === null ? whole : `@import url("${sheet}")`;
  });
  return replaceEach(imported, URL_FUNCTION, async (whole, [, , address = '']) => {
    const url = elsewhere(address.trim(), base);
    if (url === null) return whole;
    const data = await resources.dataUrl(url);
    return data === null ? whole : `url("${data}")`;
  });
}

/** Returns the style sheet at `url`, with everything it needs, as one `data:` URL. */
export async function styleSheet(url: URL, resources: Resources, depth = 0): Promise<string | null> {
  const css = await resources.text(url);
  return css === null ? null : dataUrl('text/css', await inlineStyles(css, url, resources, depth));
}

/** Returns the URL of a file to fetch; null if the page already contains the content. */
export function elsewhere(address: string, base: URL): URL | null {
  if (address === '' || address.startsWith('#') || /^(data|blob|about|javascript|mailto|tel):/i.test(address))
    return null;
  const url = parseUrl(address, base);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

async function replaceEach(
  text: string,
  pattern: RegExp,
  replace: (whole: string, groups: readonly (string | undefined)[]) => Promise<string>,
): Promise<string> {
  const found = [...text.matchAll(pattern)];
  const replaced = await Promise.all(found.map((match) => replace(match[0], match)));
  let result = '';
  let end = 0;
  found.forEach((match, index) => {
    result += text.slice(end, match.index) + (replaced[index] ?? match[0]);
    end = match.index + match[0].length;
  });
  return result + text.slice(end);
}
