import type { SessionFiles } from '../../core/files.js';
import { baseName, resolvePath } from '../path.js';
import type { Progress, TransferOptions } from './importing.js';

/** A file to export; without content, a directory. */
export interface Outgoing {
  /** Relative to the exported directory. */
  name: string;
  content: Uint8Array | undefined;
  modifiedAt: number;
  untrusted: readonly string[] | undefined;
}

/** Milliseconds of work before yielding to the page. */
const SLICE = 30;

/** Returns the entries to export, parents before children. */
export async function outgoing(
  files: Pick<SessionFiles, 'readAll'>,
  { path = '/', filter }: TransferOptions,
): Promise<Outgoing[]> {
  const root = resolvePath(path);
  const prefix = root === '/' ? '/' : `${root}/`;
  return (await files.readAll(root))
    .map((file) => ({
      name: file.path === root ? baseName(root) : file.path.slice(prefix.length),
      content: file.content,
      modifiedAt: file.modifiedAt,
      untrusted: file.untrusted,
    }))
    .filter(({ name, content }) => content === undefined || (filter?.(name) ?? true));
}

/** Reports the progress of an export and yields to the page. */
export class Pace {
  readonly #options: TransferOptions;
  readonly #progress: Progress;
  #yielded = performance.now();

  constructor(entries: readonly Outgoing[], options: TransferOptions) {
    this.#options = options;

    const contents = entries.flatMap(({ content }) => content ?? []);
    const totalBytes = contents.reduce((sum, { length }) => sum + length, 0);
    this.#progress = { phase: 'writing', files: 0, totalFiles: contents.length, bytes: 0, totalBytes };
  }

  done(content: Uint8Array | undefined): void {
    if (content === undefined) return;
    this.#progress.files += 1;
    this.#progress.bytes += content.length;
  }

  /** @throws the abort reason of the signal. */
  async pause(): Promise<void> {
    this.#options.signal?.throwIfAborted();
    if (performance.now() - this.#yielded < SLICE) return;
    this.#options.onProgress?.({ ...this.#progress });
    await new Promise((resolve) => setTimeout(resolve));
    this.#yielded = performance.now();
  }
}
