import { toBase64 } from '../../../../core/base64.js';
import { decodePageText, type Fetched, type PageSource } from '../sources.js';

/** Maximum number of files of one page, and of their bytes in total. */
const MAX_RESOURCES = 500;
const MAX_RESOURCES_BYTES = 64_000_000;

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

export function dataUrl(type: string, content: Uint8Array | string): string {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return `data:${type};base64,${toBase64(bytes)}`;
}
