import type { JournalFolder } from '../../../src/storage/journal-folder.js';

/** Files in memory, one character per byte, with limited space. Records the longest text of a single write. */
export class MemoryFolder implements JournalFolder {
  readonly files = new Map<string, string>();
  room = Infinity;
  longest = 0;
  /** Number of bytes of texts that were read. */
  bytesRead = 0;

  async names(): Promise<string[]> {
    return [...this.files.keys()];
  }
  async read(name: string): Promise<Blob> {
    const bytes = this.files.get(name);
    if (bytes === undefined) throw new DOMException('Missing.', 'NotFoundError');
    const blob = new Blob([Buffer.from(bytes, 'latin1')]);
    const slice = blob.slice.bind(blob);
    blob.slice = (from, to) => {
      const part = slice(from, to);
      this.bytesRead += part.size;
      return part;
    };
    return blob;
  }
  async create(name: string) {
    this.files.set(name, this.files.get(name) ?? '');
    return {
      append: (content: string | Uint8Array) => {
        const text = Buffer.from(content).toString('latin1');
        const size = [...this.files.values()].reduce((sum, file) => sum + file.length, 0);
        if (size + text.length > this.room) throw new DOMException('Full.', 'QuotaExceededError');
        this.longest = Math.max(this.longest, text.length);
        this.files.set(name, (this.files.get(name) ?? '') + text);
      },
      flush: () => undefined,
      close: () => undefined,
    };
  }
  async remove(name: string): Promise<void> {
    this.files.delete(name);
  }
}

/** A folder whose worker dies after a number of operations: nothing happens from then on, and nothing returns. */
export class DyingFolder extends MemoryFolder {
  isDead = false;
  readonly death: Promise<void>;
  #left: number;
  #isTorn = false;
  #die = (): void => {};

  constructor(
    override readonly files: Map<string, string>,
    lived: number,
  ) {
    super();
    this.#left = lived;
    this.death = new Promise((resolve) => (this.#die = resolve));
  }

  #isAlive(): boolean {
    this.#left -= 1;
    if (this.#left >= 0) return true;
    this.isDead = true;
    this.#die();
    return false;
  }

  async #live<Result>(act: () => Promise<Result>): Promise<Result> {
    return this.#isAlive() ? act() : new Promise(() => {});
  }

  override names(): Promise<string[]> {
    return this.#live(() => super.names());
  }
  override read(name: string): Promise<Blob> {
    return this.#live(() => super.read(name));
  }
  override remove(name: string): Promise<void> {
    return this.#live(() => super.remove(name));
  }
  override async create(name: string) {
    const file = await this.#live(() => super.create(name));
    return {
      ...file,
      append: (content: string | Uint8Array) => {
        // The disk has a part of what a dying worker appends.
        if (this.#isAlive()) file.append(content);
        else if (!this.#isTorn) file.append(content.slice(0, content.length / 2));
        if (this.isDead) this.#isTorn = true;
      },
    };
  }
}

/** A folder in which something else happens before one of the operations. */
export class InterruptedFolder extends MemoryFolder {
  wasInterrupted = false;
  #left: number;
  readonly #interrupt: () => Promise<void>;

  constructor(
    override readonly files: Map<string, string>,
    before: number,
    interrupt: () => Promise<void>,
  ) {
    super();
    this.#left = before;
    this.#interrupt = interrupt;
  }

  async #enter(): Promise<void> {
    this.#left -= 1;
    if (this.#left !== -1) return;
    this.wasInterrupted = true;
    await this.#interrupt();
  }

  override async names(): Promise<string[]> {
    await this.#enter();
    return super.names();
  }
  override async read(name: string): Promise<Blob> {
    await this.#enter();
    return super.read(name);
  }
  override async remove(name: string): Promise<void> {
    await this.#enter();
    return super.remove(name);
  }
  override async create(name: string) {
    await this.#enter();
    return super.create(name);
  }
}
