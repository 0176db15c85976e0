import type { Files } from '../../core/files.js';

/** Files of a command whose requests the user has approved, and what it has read of them besides what the user was shown. */
export interface WatchedFiles {
  files: Files;
  /** Returns a file that was read and not shown; undefined for none. */
  hiddenRead: () => string | undefined;
  /** A program has run, which may have read any file. */
  ran: (program: string) => void;
}

/** Watches which files a command reads. What it has written itself may be read; a copy of a file counts as reading it. */
export function watchReads(files: Files, shown: readonly string[]): WatchedFiles {
  const known = new Set(shown);
  let hiddenRead: string | undefined;
  const reads = (path: string): void => {
    if (!known.has(path)) hiddenRead ??= path;
  };
  const after = <Result>(path: string, result: Promise<Result>): Promise<Result> =>
    result.then((value) => {
      reads(path);
      return value;
    });
  return {
    hiddenRead: () => hiddenRead,
    ran: (program) => (hiddenRead ??= `files, by ${program}`),
    files: {
      stat: (path) => files.stat(path),
      list: (...args) => files.list(...args),
      glob: (pattern) => files.glob(pattern),
      makeDirectory: (path) => files.makeDirectory(path),
      remove: (path) => files.remove(path),
      read: (path) => after(path, files.read(path)),
      readBytes: (path) => after(path, files.readBytes(path)),
      write: async (path, content) => {
        await files.write(path, content);
        known.add(path);
      },
      move: (from, to) => after(from, files.move(from, to)),
      copy: (from, to) => after(from, files.copy(from, to)),
    },
  };
}
