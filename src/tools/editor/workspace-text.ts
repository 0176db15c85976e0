import { RoleZeroError } from '../../base/error.js';
import type { FileInfo, Files } from '../../base/files.js';
import { nearestFiles } from './nearest.js';

/** Names of a directory's content an error shows. */
const MAX_NAMES = 10;

/**
 * What is known of a file a command works on.
 *
 * @throws RoleZeroError `not-found` naming files with similar names; `invalid`, naming what is in it, for a directory.
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
 * A file's text, for showing and for writing it back changed.
 *
 * @throws RoleZeroError as `statFile` does, and `invalid` for what is not UTF-8 text: written back it would be damaged.
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

/** Binary, or with characters that were lost in reading. A replacement character may also stand in the file itself. */
export async function isUnreadable(files: Files, path: string, text: string): Promise<boolean> {
  if (text.includes('\0')) return true;
  if (!text.includes('\ufffd')) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(await files.readBytes(path));
    return false;
  } catch {
    return true;
  }
}

/** @throws RoleZeroError `not-found` naming the directories there are. */
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
  if (paths.length === 0) return 'The workspace has no files yet: use Editor.create_file or Editor.write.';
  const near = nearestFiles(path, paths);
  const similar = near.length > 0 ? `Similar files: ${near.join(', ')}. ` : '';
  return `${similar}Use Editor.find_file to look for a file, Editor.create_file to make a new one.`;
}

function firstOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${shown}… (${names.length - MAX_NAMES} more)` : shown;
}
