import type { AgentEvent } from './events.js';
import type { FileChangeEvent } from './files.js';
import { matchesPath } from './glob.js';

/** The listeners for changes of files, by path. */
export class FileWatchers {
  readonly #watching = new Set<{ path: string; listener: (event: FileChangeEvent) => void }>();

  /** See `SessionFiles.watch`. */
  readonly watch = (path: string, listener: (event: FileChangeEvent) => void): (() => void) => {
    const watcher = { path: path.replace(/(?<=.)\/+$/u, ''), listener };
    this.#watching.add(watcher);
    return () => this.#watching.delete(watcher);
  };

  /** Calls each listener that watches the changed file. Their errors are passed to `onError`. */
  tell({ path, change, by }: AgentEvent<'file-changed'>, onError: (error: unknown) => void): void {
    for (const { path: watched, listener } of this.#watching) {
      if (watched !== '/' && !path.startsWith(`${watched}/`) && !matchesPath(path, watched)) continue;
      try {
        listener({ path, change, by });
      } catch (error) {
        onError(error);
      }
    }
  }
}
