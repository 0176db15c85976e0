import { parse } from 'es-module-lexer/minimal/js';
import { toBase64 } from '../../../../core/bytes.js';
import { isRecord } from '../../../../core/json.js';
import { virtualLocation } from '../../virtual-location.js';
import { parseUrl, shownAddress } from '../addresses.js';
import { fileOfAddress } from '../error-place.js';
import { decodePageText, type Fetched, type PageSource } from '../sources.js';

/** Maximum number of files of one page, and of their bytes in total. */
const MAX_RESOURCES = 500;
const MAX_RESOURCES_BYTES = 64_000_000;

/** Maximum depth of style sheets that import each other. */
const MAX_IMPORT_DEPTH = 5;

const IMPORT = /@import\s+(?:url\(\s*)?(["']?)([^"')\s;]+)\1\s*\)?/gi;
const URL_FUNCTION = /url\(\s*(["']?)([^"')]*)\1\s*\)/gi;

/** Matches a comment, or a text or address that may look like one. */
const COMMENT_OR_TEXT =
  /\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|url\(\s*[^"')\s][^)]*\)/gi;

/** Names, other than addresses, that a page uses for modules. */
type ImportMap = ReadonlyMap<string, URL>;

/** Loads the files that one document references while it is assembled, each file once. Records missing files for users and models. */
export class Resources {
  readonly #source: PageSource;
  readonly #signal: AbortSignal;
  /** Files that could not be loaded, one sentence each. */
  readonly missing: string[] = [];
  readonly #known = new Map<string, Promise<Fetched | null>>();
  #bytes = 0;

  constructor(source: PageSource, signal: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
  }

  /** Loads a file. Returns null if it cannot be loaded. */
  get(url: URL): Promise<Fetched | null> {
    const key = url.href.split('#')[0] ?? '';
    let found = this.#known.get(key);
    if (found === undefined) this.#known.set(key, (found = this.#fetch(new URL(key))));
    return found;
  }

  /**
   * Loads a file as a `data:` URL, the only way to include files in a page without an origin. The fragment of a picture is the name of its
   * file, which the view shows. Returns null if it cannot be loaded.
   */
  async dataUrl(url: URL): Promise<string | null> {
    const found = await this.get(url);
    if (found === null) return null;
    const isPicture = url.hash === '' && found.type.startsWith('image/');
    const name = url.pathname.slice(url.pathname.lastIndexOf('/') + 1).slice(-100);
    return `${dataUrl(found.type, found.bytes)}${isPicture ? `#file=${name}` : url.hash}`;
  }

  async text(url: URL): Promise<string | null> {
    const found = await this.get(url);
    return found === null ? null : decodePageText(found.bytes);
  }

  async #fetch(url: URL): Promise<Fetched | null> {
    this.#signal.throwIfAborted();
    if (this.#known.size > MAX_RESOURCES || this.#bytes > MAX_RESOURCES_BYTES) {
      this.missing.push(`${url.href} was left out: the page is made of too many or too large files.`);
      return null;
    }
    const found = await this.#source(url, this.#signal);
    this.#bytes += found.bytes.length;
    if (found.status >= 200 && found.status < 300) return found;
    this.missing.push(`${url.href} could not be loaded: ${found.problem ?? `status ${found.status}`}`);
    return null;
  }
}

function dataUrl(type: string, content: Uint8Array | string): string {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return `data:${type};base64,${toBase64(bytes)}`;
}

/** Reads the names in the page's import maps. Ignores invalid entries, as browsers do. */
export function readImportMap(texts: readonly string[], base: URL): ImportMap {
  const map = new Map<string, URL>();
  for (const text of texts) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      continue;
    }
    const imports = isRecord(parsed) ? parsed['imports'] : undefined;
    for (const [name, target] of Object.entries(isRecord(imports) ? imports : {})) {
      const url = typeof target === 'string' ? parseUrl(target, base) : null;
      if (url !== null && !map.has(name)) map.set(name, url);
    }
  }
  return map;
}

/**
 * Collects the modules of a page. In a page without an origin, relative imports have no base URL. Each import is therefore rewritten to an
 * absolute address, and an import map maps each address to the module's text.
 */
export class PageModules {
  readonly #resources: Resources;
  readonly #names: ImportMap;
  readonly #texts = new Map<string, string>();
  readonly #seen = new Set<string>();

  constructor(resources: Resources, names: ImportMap) {
    this.#resources = resources;
    this.#names = names;
  }

  /** Loads a module and everything it imports. Returns the `data:` URL of the module, or null if it cannot be loaded. */
  async add(url: URL): Promise<string | null> {
    await this.#load(url);
    return this.#texts.get(url.href) ?? null;
  }

  /** Loads the imports of an inline module. Returns its text with rewritten imports. */
  async inline(text: string, base: URL): Promise<string> {
    const { code, imports } = this.#written(text, base);
    for (const url of imports) await this.#load(url);
    return code;
  }

  importMap(): { imports: Record<string, string> } {
    return { imports: Object.fromEntries(this.#texts) };
  }

  async #load(url: URL): Promise<void> {
    if (this.#seen.has(url.href)) return;
    this.#seen.add(url.href);
    const found = await this.#resources.get(url);
    if (found === null) return;
    if (!/javascript|ecmascript|octet-stream/.test(found.type)) {
      this.#texts.set(url.href, dataUrl(found.type, found.bytes)); // JSON or CSS, imported with that type
      return;
    }
    const { code, imports } = this.#written(decodePageText(found.bytes), url);
    this.#texts.set(url.href, moduleUrl(code, url));
    for (const next of imports) await this.#load(next);
  }

  #written(text: string, base: URL): { code: string; imports: URL[] } {
    let code = text;
    const imports: URL[] = [];
    for (const { n: name, s, e, ss, d } of parseImports(text).toReversed()) {
      if (d === -2) {
        if (text.startsWith('.url', e)) code = splice(code, ss, e + '.url'.length, JSON.stringify(base.href));
        continue;
      }
      const url = name === undefined ? null : this.#resolve(name, base);
      if (url === null) continue;
      imports.unshift(url);
      code = splice(code, s, e, d < 0 ? url.href : JSON.stringify(url.href));
    }
    return { code: virtualLocation(code), imports };
  }

  #resolve(name: string, base: URL): URL | null {
    const named = this.#names.get(name);
    if (named !== undefined) return named;
    for (const [prefix, target] of this.#names)
      if (prefix.endsWith('/') && name.startsWith(prefix)) return parseUrl(name.slice(prefix.length), target);
    if (!/^(\.{0,2}\/|https?:)/.test(name)) return null; // bare name without an entry in the import map
    return parseUrl(name, base);
  }
}

/** Returns a classic script as a `data:` URL, with rewritten uses of `location`. */
export function classicScript(text: string, url: URL): string {
  return moduleUrl(virtualLocation(text), url);
}

/**
 * Returns a script as a `data:` URL. Errors name its file: some browsers report what its last line says, and for a script that cannot be
 * parsed, its address.
 */
function moduleUrl(code: string, url: URL): string {
  const file = encodeURIComponent(fileOfAddress(url.href));
  return dataUrl(`text/javascript;file=${file}`, `${code}\n//# sourceURL=${shownAddress(url.href)}`);
}

/** Parses the imports of a module. Returns none for invalid JavaScript: the browser reports the error to the page. */
function parseImports(text: string): ReturnType<typeof parse>[0] {
  try {
    return parse(text)[0];
  } catch {
    return [];
  }
}

function splice(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

/** Returns CSS with empty comments, and with its files, and the files of its imports, inlined as `data:` URLs. */
export async function inlineStyles(
  styles: string,
  base: URL,
  resources: Resources,
  depth = 0,
): Promise<string> {
  const css = styles.replace(COMMENT_OR_TEXT, (part) => (part.startsWith('/*') ? '/**/' : part));
  const imported = await replaceMatches(css, IMPORT, async (whole, [, , address = '']) => {
    const url = elsewhere(address, base);
    if (url === null || depth >= MAX_IMPORT_DEPTH) return whole;
    const sheet = await styleSheet(url, resources, depth + 1);
    return sheet === null ? whole : `@import url("${sheet}")`;
  });
  return replaceMatches(imported, URL_FUNCTION, async (whole, [, , address = '']) => {
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

async function replaceMatches(
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
