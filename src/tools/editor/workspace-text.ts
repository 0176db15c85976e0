import { RoleZeroError } from '../../core/error.js';
import type { FileInfo, Files } from '../../core/files.js';
import { nearestFiles } from './nearest.js';

/** Maximum number of directory entries that an error lists. */
const MAX_NAMES = 10;

/**
 * Returns the metadata of a file that a command uses.
 *
 * @throws RoleZeroError `not-found` with files of similar names; `invalid` for a directory, with its entries.
 */
export async function statFile(files: Files, path: string): Promise<FileInfo> {
  const info = await files.stat(path);
  if (info === null) {
    throw new RoleZeroError('not-found', `There is no file ${path}. ${await instead(files, path)}`, { path });
  }
  if (info.type === 'file') return info;
  const names = (await files.list(path)).map((each) => each.path);
  const content = names.length === 0 ? 'It is empty.' : `It contains ${firstOf(names)}.`;
  throw new RoleZeroError('invalid', `${path} is a directory, not a file. ${content}`, { path });
}

/**
 * Reads a file's text, for display and for editing.
 *
 * @throws RoleZeroError as `statFile` does; `invalid` if the file is not UTF-8 text, because writing it back would damage it.
 */
export async function readText(files: Files, path: string): Promise<string> {
  await statFile(files, path);
  const text = await files.read(path);
  if (await isUnreadable(files, path, text)) {
    const advice = 'The editor works on text files only.';
    throw new RoleZeroError('invalid', `${path} is not a text file (not UTF-8). ${advice}`, { path });
  }
  return text;
}

/** Returns whether a file is binary, or lost characters in decoding. A replacement character may also be part of the file itself. */
export async function isUnreadable(
  files: Pick<Files, 'readBytes'>,
  path: string,
  text: string,
): Promise<boolean> {
  if (text.includes('\0')) return true;
  if (!text.includes('\ufffd')) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(await files.readBytes(path));
    return false;
  } catch {
    return true;
  }
}

/** @throws RoleZeroError `not-found` with the existing directories; `invalid` for a file. */
export async function checkDirectory(files: Files, path: string): Promise<void> {
  const info = await files.stat(path);
  if (info?.type === 'directory') return;
  if (info !== null) {
    throw new RoleZeroError('invalid', `${path} is a file, not a directory. Use Editor.search_file on it.`, {
      path,
    });
  }
  const all = await files.list('/', { recursive: true });
  const directories = all.flatMap((each) => (each.type === 'directory' ? [each.path] : []));
  const near = nearestFiles(path, directories);
  const advice =
    near.length > 0
      ? `Similar directories: ${near.join(', ')}.`
      : `There are ${firstOf(['/', ...directories])}.`;
  throw new RoleZeroError('not-found', `There is no directory ${path}. ${advice}`, { path });
}

async function instead(files: Files, path: string): Promise<string> {
  const all = await files.list('/', { recursive: true });
  const paths = all.flatMap((each) => (each.type === 'file' ? [each.path] : []));
  if (paths.length === 0) return 'The workspace has no files yet; Editor.write makes one.';
  const near = nearestFiles(path, paths);
  const similar = near.length > 0 ? `Similar files: ${near.join(', ')}. ` : '';
  return `${similar}Use Editor.find_file to look for a file, Editor.write to make a new one.`;
}

function firstOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${shown}… (${names.length - MAX_NAMES} more)` : shown;
}
