import type { ClientSession } from '../client/session.js';

/** Maximum number of images that are held. */
const MAX_IMAGES = 100;

/** The attached images that the conversation shows, read when they are. */
export class Thumbnails {
  readonly #session: ClientSession;
  readonly #changed: () => void;
  /** Addresses by path; empty while it is read, and for a file that is gone. */
  readonly #urls = new Map<string, string>();

  constructor(session: ClientSession, changed: () => void) {
    this.#session = session;
    this.#changed = changed;
  }

  /** Returns the address of an image of the session; undefined while it is not known. */
  urlOf(path: string): string | undefined {
    if (!this.#urls.has(path) && this.#urls.size < MAX_IMAGES) {
      this.#urls.set(path, '');
      void this.#read(path);
    }
    return this.#urls.get(path) || undefined;
  }

  async #read(path: string): Promise<void> {
    const bytes = await this.#session.files.readBytes(path).catch(() => null); // removed since: its name is shown
    if (bytes === null || !this.#urls.has(path)) return;
    this.#urls.set(path, URL.createObjectURL(new Blob([bytes as BlobPart])));
    this.#changed();
  }

  close(): void {
    for (const url of this.#urls.values()) if (url !== '') URL.revokeObjectURL(url);
    this.#urls.clear();
  }
}
