import { toBase64 } from '../../../../base/base64.js';
import type { Fetched, Source } from '../sources.js';

/** Files and bytes that one page may be made of. */
const MAX_FILES = 500;
const MAX_BYTES = 64_000_000;

/**
 * The files one document asks for while it is put together, each fetched once. What is not there is remembered for people and models.
 */
export class Resources {
  readonly #source: Source;
  readonly #signal: AbortSignal;
  /** What could not be had, one sentence each. */
  readonly missing: string[] = [];
  readonly #known = new Map<string, Promise<Fetched | null>>();
  #bytes = 0;

  constructor(source: Source, signal: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
  }

  /** Null when it cannot be had. */
  get(url: URL): Promise<Fetched | null> {
    const key = url.href.split('#')[0] ?? '';
    let found = this.#known.get(key);
    if (found === undefined) this.#known.set(key, (found = this.#fetch(new URL(key))));
    return found;
  }

  /** As a `data:` URL, the only way files come into a page of no origin; null when it cannot be had. */
  async dataUrl(url: URL): Promise<string | null> {
    const found = await this.get(url);
    return found === null ? null : `${dataUrl(found.type, found.bytes)}${url.hash}`;
  }

  async text(url: URL): Promise<string | null> {
    const found = await this.get(url);
    return found === null ? null : new TextDecoder().decode(found.bytes);
  }

  async #fetch(url: URL): Promise<Fetched | null> {
    this.#signal.throwIfAborted();
    if (this.#known.size > MAX_FILES || this.#bytes > MAX_BYTES) {
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

export function dataUrl(type: string, content: Uint8Array | string): string {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return `data:${type};base64,${toBase64(bytes)}`;
}
