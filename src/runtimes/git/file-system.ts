import type { PromiseFsClient } from 'isomorphic-git';
import { joinPath } from '../paths.js';
import { FileError, type NodeInfo, type ProgramFiles } from '../program-files.js';

type FileStats = Record<'mode' | 'size' | 'ino' | 'mtimeMs' | 'ctimeMs' | 'uid' | 'gid' | 'dev', number> & {
  type: NodeInfo['type'];
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
};

/** Returns the files of a program as git's library expects a file system. Its paths need not be normalized. */
export function fileSystemOf(files: ProgramFiles): PromiseFsClient {
  const full = (path: string): string => joinPath('/', path);
  const stat = async (path: string): Promise<FileStats> => {
    const info = files.stat(full(path));
    if (info === null) throw new FileError('ENOENT', 'stat', path);
    return statsOf(info, /\/\.git(?:\/|$)/u.test(full(path)) ? 0 : files.checksum(full(path)));
  };
  const noLinks = async (path: string): Promise<never> => {
    throw new FileError('EINVAL', 'readlink', path);
  };
  return {
    promises: {
      async readFile(path: string, options?: string | { encoding?: string }) {
        const encoding = typeof options === 'string' ? options : options?.encoding;
        const content = files.read(full(path));
        return encoding === 'utf8' ? new TextDecoder().decode(content) : content.slice();
      },
      async writeFile(path: string, content: string | Uint8Array) {
        files.write(
          full(path),
          typeof content === 'string' ? new TextEncoder().encode(content) : content.slice(),
        );
      },
      unlink: async (path: string) => files.unlink(full(path)),
      readdir: async (path: string) => files.list(full(path)),
      mkdir: async (path: string) => files.makeDirectory(full(path)),
      rmdir: async (path: string) => files.removeDirectory(full(path)),
      stat,
      lstat: stat,
      readlink: noLinks,
      symlink: noLinks,
      chmod: stat,
    },
  };
}

/**
 * Returns what git's library compares to find changed files. Times are too coarse for that: an edit may have the time and the size of the file before,
 * so the checksum is in the place of an owner, which no file has.
 */
function statsOf({ type, size, modifiedAt }: NodeInfo, checksum: number): FileStats {
  return {
    type,
    mode: type === 'file' ? 0o100644 : 0o40000,
    size,
    ino: 0,
    mtimeMs: modifiedAt,
    ctimeMs: modifiedAt,
    uid: checksum,
    gid: 0,
    dev: 0,
    isFile: () => type === 'file',
    isDirectory: () => type === 'directory',
    isSymbolicLink: () => false,
  };
}
