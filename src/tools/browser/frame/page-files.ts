import { describe } from '../../../core/error.js';
import type { Download } from '../frame-protocol.js';
import type { DriverEvent, ToDriver } from '../protocol.js';
import { parseUrl, shownAddress } from './addresses.js';
import { asHtml, assemble } from './document/assemble.js';
import { sourceFor, type Fetched, type PageSource } from './sources.js';
import type { TabReport } from './tab-report.js';

type FileRequest = Extract<DriverEvent, { event: 'fetch' }>;
type DownloadRequest = Extract<DriverEvent, { event: 'download' }>;
type AnsweredFile = Omit<Extract<ToDriver, { type: 'file' }>, 'type' | 'id'>;

/** Maximum number of stored downloads until they are taken. */
const MAX_DOWNLOADS = 20;

/** Files that the pages of a tab load and offer for download. */
export class PageFiles {
  readonly #network: readonly string[];
  readonly #report: TabReport;
  /** Aborts when the tab is closed. */
  readonly #signal: AbortSignal;
  readonly #downloads: Download[] = [];
  #downloading: Promise<void> = Promise.resolve();

  constructor(network: readonly string[], report: TabReport, signal: AbortSignal) {
    this.#network = network;
    this.#report = report;
    this.#signal = signal;
  }

  /** Resolves when all downloads so far have finished. */
  get downloaded(): Promise<void> {
    return this.#downloading;
  }

  /** Returns the downloads since the last call. */
  takeDownloads(): Download[] {
    return this.#downloads.splice(0);
  }

  /** Stores a file that a page offers, from the page's own memory or from a source that it may read. `page` returns the page's address. */
  download(request: DownloadRequest, page: () => URL, source: PageSource): void {
    this.#downloading = this.#downloading.then(() => this.#store(request, page(), source));
  }

  async #store({ url, name, body }: DownloadRequest, page: URL, source: PageSource): Promise<void> {
    const to = parseUrl(url);
    const shown = JSON.stringify(name === '' ? shownAddress(url).slice(0, 100) : name);
    const offers = `The page offers ${shown} for download`;
    if (this.#downloads.length >= MAX_DOWNLOADS)
      this.#report.addNotice(`${offers}; it was not saved: there are too many.`);
    else if (body !== null)
      this.#downloads.push({ name: downloadFileName(name, ''), bytes: new Uint8Array(body) });
    else if (to?.origin !== page.origin)
      this.#report.addNotice(`${offers}; it was not saved: it is on another site.`);
    else {
      const found = await source(to, this.#signal).catch((error: unknown) => describe(error));
      if (typeof found === 'string' || found.status !== 200 || parseUrl(found.url)?.origin !== to.origin)
        this.#report.addNotice(
          `${offers}, which cannot be loaded: ${typeof found === 'string' ? found : (found.problem ?? found.status)}`,
        );
      else this.#downloads.push({ name: downloadFileName(name, to.pathname), bytes: found.bytes });
    }
  }

  /** Returns the response to a file request of a page. The status is 0 if the page must not read the address. */
  async answer({ url, method, use }: FileRequest, page: URL, source: PageSource): Promise<AnsweredFile> {
    const to = parseUrl(url);
    if (to?.origin !== page.origin)
      return { status: 0, problem: 'a page may only ask for what is at its own address' };
    if (method !== 'GET' && method !== 'HEAD')
      return { status: 405, contentType: 'text/plain', body: encoded('There is no server here: only GET.') };
    const found = await source(to, this.#signal).catch((error: unknown) => describe(error));
    if (typeof found === 'string') return { status: 0, problem: found };
    if (parseUrl(found.url)?.origin !== to.origin)
      return { status: 0, problem: 'it redirects to another origin' };
    if (use === 'frame' && found.status === 200) return this.#documentOf(found, to, source);
    const { status, type: contentType, bytes, problem } = found;
    if (status === 200) return { status, contentType, body: new Uint8Array(bytes).buffer };
    this.#report.addLine('error', `${shownAddress(to.href)} could not be loaded: ${problem ?? status}`);
    return { status, contentType, body: encoded(problem ?? '') };
  }

  async #documentOf(found: Fetched, asked: URL, source: PageSource): Promise<AnsweredFile> {
    const { html } = await assemble(asHtml(found), new URL(found.url), {
      source: sourceFor(asked, source),
      signal: this.#signal,
      network: this.#network,
      driver: '',
    });
    return { status: 200, contentType: 'text/html', body: encoded(html) };
  }
}

function encoded(text: string): ArrayBuffer {
  return new TextEncoder().encode(text).buffer;
}

/** Returns the last part of the name that the page chose, or of its path, without characters that file systems reject. */
function downloadFileName(name: string, path: string): string {
  const own = name === '' ? (path.split('/').at(-1) ?? '') : name;
  const plain = (own.split(/[/\\]/).at(-1) ?? '').replace(/[\p{Cc}:*?"<>|]/gu, '_').replace(/^\.+/, '');
  return plain.slice(0, 100) || 'download';
}
