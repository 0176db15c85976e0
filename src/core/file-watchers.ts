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

  /** Calls `call` for each listener that watches the changed file. */
  tell(event: AgentEvent, call: (listen: () => void) => void): void {
    if (event.type !== 'file-changed') return;
    const { path, change, by } = event;
    for (const { path: watched, listener } of this.#watching) {
      if (watched === '/' || path.startsWith(`${watched}/`) || matchesPath(path, watched))
        call(() => listener({ path, change, by }));
    }
  }
}
