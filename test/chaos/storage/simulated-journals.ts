import type { JournalFile, JournalFolder } from '../../../src/storage/journal-folder.js';
import type { Journals } from '../../../src/storage/opfs-journals.js';
import type { Dice } from '../simulation/dice.js';

/** A file on a disk that may lose power: flushed data remains, the rest in part. */
interface StoredFile {
  /** One character per byte. */
  bytes: string;
  flushed: number;
}

/** The disk with the replicas, which outlives the workers. */
export class JournalDisk {
  readonly folders = new Map<string, Map<string, StoredFile>>();

  /** Number of compressed files that were created. */
  sealed = 0;

  /** Directory changes that have not reached the disk. They reach it in order, as file systems with a journal guarantee. */
  readonly #undo: (() => void)[] = [];

  create(files: Map<string, StoredFile>, name: string): StoredFile {
    const file: StoredFile = { bytes: '', flushed: 0 };
    files.set(name, file);
    if (name.endsWith('.deflate')) this.sealed += 1;
    this.#undo.push(() => files.delete(name));
    return file;
  }

  remove(files: Map<string, StoredFile>, name: string): void {
    const file = files.get(name);
    files.delete(name);
    if (file !== undefined) this.#undo.push(() => files.set(name, file));
  }

  /** Drops or truncates everything that was not flushed. */
  losePower(dice: Dice): void {
    for (let lost = dice.below(this.#undo.length + 1); lost > 0; lost--) this.#undo.pop()?.();
    for (const files of this.folders.values()) {
      for (const file of files.values()) {
        file.bytes = file.bytes.slice(0, file.flushed + dice.below(file.bytes.length - file.flushed + 1));
        file.flushed = file.bytes.length;
      }
    }
    this.settle();
  }

  /** Some time after a flush, directory changes are on the disk as well. */
  settle(): void {
    this.#undo.length = 0;
  }
}

/** The replicas as seen by one worker. It may die at each call; calls of a dead worker change nothing. */
export class SimulatedJournals implements Journals {
  constructor(
    private readonly disk: JournalDisk,
    private readonly instant: () => boolean,
  ) {}

  prepare(): void {} // All folders are in one place that always exists.

  async folder(session: string, { create }: { create: boolean }): Promise<JournalFolder | null> {
    await this.alive();
    if (!this.disk.folders.has(session)) {
      if (!create) return null;
      this.disk.folders.set(session, new Map());
    }
    return this.opened(session);
  }

  async folders(): Promise<JournalFolder[]> {
    await this.alive();
    return [...this.disk.folders.keys()].map((session) => this.opened(session));
  }

  async remove(session: string): Promise<void> {
    await this.alive();
    this.disk.folders.delete(session);
  }

  private opened(session: string): JournalFolder {
    const files = this.disk.folders.get(session) ?? new Map<string, StoredFile>();
    return {
      names: async () => {
        await this.alive();
        return [...files.keys()];
      },
      read: async (name) => {
        await this.alive();
        const file = files.get(name);
        if (file === undefined) throw new DOMException(`There is no file '${name}'.`, 'NotFoundError');
        return new SimulatedBlob(Buffer.from(file.bytes, 'latin1')) as unknown as Blob;
      },
      create: async (name) => {
        await this.alive();
        return this.writable(files.get(name) ?? this.disk.create(files, name));
      },
      remove: async (name) => {
        await this.alive();
        this.disk.remove(files, name);
      },
    };
  }

  private writable(file: StoredFile): JournalFile {
    const unlessDead = (act: () => void): void => {
      if (this.instant()) act();
    };
    return {
      append: (content) => unlessDead(() => (file.bytes += Buffer.from(content).toString('latin1'))),
      flush: () => unlessDead(() => (file.flushed = file.bytes.length)),
      close: () => unlessDead(() => undefined),
    };
  }

  /** Never returns to a dead worker. */
  private alive(): Promise<void> {
    return this.instant() ? Promise.resolve() : new Promise(() => {});
  }
}

/** Bytes of a file that are read without a thread, so that two runs of one seed are equal. */
class SimulatedBlob {
  constructor(private readonly bytes: Uint8Array) {}

  get size(): number {
    return this.bytes.length;
  }

  slice(from: number, to?: number): SimulatedBlob {
    return new SimulatedBlob(this.bytes.slice(from, to));
  }

  text(): Promise<string> {
    return Promise.resolve(new TextDecoder().decode(this.bytes));
  }

  stream(): ReadableStream<Uint8Array> {
    const { bytes } = this;
    return new ReadableStream({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    });
  }
}
