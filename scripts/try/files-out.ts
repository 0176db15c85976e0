import { randomUUID } from 'node:crypto';
import { lstat, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

/** One file that was written. */
export interface Written {
  path: string;
  /** Bytes. */
  size: number;
  /** A file existed before. */
  replaced: boolean;
}

/** A path that must not be written. */
export class RefusedPath extends Error {
  override readonly name = 'RefusedPath';
}

/**
 * Writes files of a session below a directory of this machine and nowhere else: paths that lead outside are rejected,
 * and so are symbolic links, whatever their target. Each file is written completely or not at all.
 *
 * @param path absolute, as in the session: `/game/index.html`
 * @throws RefusedPath, or the error of the file system
 */
export async function writeBelow(directory: string, path: string, content: Uint8Array): Promise<Written> {
  await mkdir(directory, { recursive: true });
  const root = await realpath(directory); // The user's own directory may be a link.
  const names = namesOf(path);
  const target = join(root, ...names);
  let folder = root;
  for (const name of names.slice(0, -1)) {
    folder = join(folder, name);
    const what = await kindOf(folder);
    if (what === 'nothing') await mkdir(folder);
    else if (what !== 'directory') throw new RefusedPath(`${path}: ${name} is a ${what} in ${directory}.`);
  }
  const before = await kindOf(target);
  if (before !== 'nothing' && before !== 'file') {
    throw new RefusedPath(`${path}: a ${before} of that name exists in ${directory}.`);
  }
  const fresh = join(dirname(target), `.${randomUUID()}.part`);
  try {
    await writeFile(fresh, content, { flag: 'wx' });
    await rename(fresh, target); // Replaces the name; other hard links keep their content.
  } finally {
    await rm(fresh, { force: true });
  }
  return { path, size: content.length, replaced: before === 'file' };
}

function namesOf(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  const bad = names.find((name) => name === '..' || /[\u0000-\u001f\u007f-\u009f\\]/u.test(name));
  const drive = sep === '\\' && names.some((name) => name.includes(':'));
  if (bad !== undefined || drive || names.length === 0) {
    throw new RefusedPath(`${path}: this is not a valid file name here.`);
  }
  return names;
}

async function kindOf(path: string): Promise<'nothing' | 'file' | 'directory' | 'symbolic link' | 'device'> {
  const info = await lstat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (info === null) return 'nothing';
  if (info.isSymbolicLink()) return 'symbolic link';
  if (info.isDirectory()) return 'directory';
  return info.isFile() ? 'file' : 'device';
}
