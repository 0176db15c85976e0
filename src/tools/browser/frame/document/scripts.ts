import { parse } from 'es-module-lexer/minimal/js';
import { isRecord } from '../../../../base/json.js';
import { parseUrl, shownAddress } from '../addresses.js';
import { virtualLocation } from '../../virtual-location.js';
import { dataUrl, type Resources } from './resources.js';

/** How a page names modules besides by their addresses. */
export type ImportMap = ReadonlyMap<string, URL>;

/** The names in a page's own import maps; what is not understood is passed over, as a browser does. */
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
 * The modules of a page: in a page of no origin their relative imports have nothing to be relative to, so each import is written out as an
 * address, and an import map leads from each address to the module's text.
 */
export class Modules {
  readonly #resources: Resources;
  readonly #names: ImportMap;
  readonly #texts = new Map<string, string>();
  readonly #seen = new Set<string>();

  constructor(resources: Resources, names: ImportMap) {
    this.#resources = resources;
    this.#names = names;
  }

  /** Brings in the module and everything it imports; the `data:` URL it is known by, or null when it cannot be had. */
  async add(url: URL): Promise<string | null> {
    await this.#load(url);
    return this.#texts.get(url.href) ?? null;
  }

  /** The text of a module that stands in the page itself, its imports written out and brought in. */
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
      this.#texts.set(url.href, dataUrl(found.type, found.bytes)); // JSON or styles, imported as such
      return;
    }
    const { code, imports } = this.#written(new TextDecoder().decode(found.bytes), url);
    this.#texts.set(url.href, dataUrl('text/javascript', withSource(code, url)));
    for (const next of imports) await this.#load(next);
  }

  #written(text: string, base: URL): { code: string; imports: URL[] } {
    let code = text;
    const imports: URL[] = [];
    for (const { n: name, s, e, ss, d } of importsOf(text).toReversed()) {
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
    if (!/^(\.{0,2}\/|https?:)/.test(name)) return null; // a bare name that no import map explains
    return parseUrl(name, base);
  }
}

/** A classic script as it is shown to the page. */
export function classicScript(text: string, url: URL): string {
  return dataUrl('text/javascript', withSource(virtualLocation(text), url));
}

/** Errors then name the file. */
function withSource(code: string, url: URL): string {
  return `${code}\n//# sourceURL=${shownAddress(url.href)}`;
}

/** Nothing for what is not JavaScript: the page will hear of that from the browser. */
function importsOf(text: string): ReturnType<typeof parse>[0] {
  try {
    return parse(text)[0];
  } catch {
    return [];
  }
}

function splice(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}
