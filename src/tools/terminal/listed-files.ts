import type { FileInfo, Files } from '../../core/files.js';

/** Files of a command line, and `forget`, to be called before anything else may change them. */
export interface ListedFiles {
  files: Files;
  forget: () => void;
}

/**
 * Answers `stat` in listed directories from their lists, until a file is changed, or `forget` is called. The files are in another thread, and
 * `rg` asks several times for each file, and for files with rules about what to ignore. Paths are absolute, and as short as possible.
 */
export function withListedFiles(files: Files): ListedFiles {
  /** Files and directories by path, for each listed directory. */
  const lists = new Map<string, ReadonlyMap<string, FileInfo>>();
  /** Increases before and after each change: a list from before it is not used. */
  let changes = 0;
  let isForgetful = false;
  const changed = (): void => {
    changes += 1;
    lists.clear();
  };
  const changing =
    <Args extends unknown[]>(change: (...args: Args) => Promise<void>) =>
    (...args: Args): Promise<void> => {
      changed();
      return change(...args).finally(changed);
    };
  return {
    forget() {
      isForgetful = true;
      lists.clear();
    },
    files: {
      read: (path) => files.read(path),
      readBytes: (path) => files.readBytes(path),
      glob: (pattern) => files.glob(pattern),
      async stat(path) {
        const list = lists.get(path.slice(0, path.lastIndexOf('/')) || '/');
        return list === undefined || path === '/' ? files.stat(path) : (list.get(path) ?? null);
      },
      async list(path = '/', options = {}) {
        const before = changes;
        const infos = await files.list(path, options);
        if (!isForgetful && changes === before && options.recursive !== true)
          lists.set(path, new Map(infos.map((info) => [info.path, info])));
        return infos;
      },
      write: changing((path: string, content: string | Uint8Array) => files.write(path, content)),
      makeDirectory: changing((path: string) => files.makeDirectory(path)),
      remove: changing((path: string) => files.remove(path)),
      move: changing((from: string, to: string) => files.move(from, to)),
      copy: changing((from: string, to: string) => files.copy(from, to)),
    },
  };
}
