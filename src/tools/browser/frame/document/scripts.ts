import { parse } from 'es-module-lexer/minimal/js';
import { isRecord } from '../../../../core/json.js';
import { parseUrl, shownAddress } from '../addresses.js';
import { fileOfAddress } from '../error-place.js';
import { decodePageText } from '../sources.js';
import { virtualLocation } from '../../virtual-location.js';
import { dataUrl, type Resources } from './resources.js';

/** Names, other than addresses, that a page uses for modules. */
export type ImportMap = ReadonlyMap<string, URL>;

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
