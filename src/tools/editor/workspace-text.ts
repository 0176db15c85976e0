import { RoleZeroError } from '../../core/error.js';
import type { FileInfo, Files } from '../../core/files.js';
import {
  decodeText,
  describeCharacter,
  encodeText,
  missingCharacter,
  type DecodedText,
  type TextEncoding,
} from '../../core/text-encoding.js';
import { nearestFiles } from './nearest.js';

/** Maximum number of directory entries that an error lists. */
const MAX_LISTED_FILES = 10;

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
  const content = names.length === 0 ? 'It is empty.' : `It contains ${firstNames(names)}.`;
  throw new RoleZeroError('invalid', `${path} is a directory, not a file. ${content}`, { path });
}

/**
 * Reads a file's text, for display and for editing.
 *
 * @throws RoleZeroError as `statFile` does; `invalid` if the file is not text.
 */
export async function readTextFile(files: Files, path: string): Promise<DecodedText> {
  await statFile(files, path);
  const decoded = await textIn(files, path);
  if (decoded !== null) return decoded;
  const advice = 'The editor works on text files only.';
  const encodings = 'UTF-8, UTF-16 with a byte order mark, or Windows-1252';
  throw new RoleZeroError('invalid', `${path} is not a text file (${encodings}). ${advice}`, { path });
}

/** Returns the text of a file in whatever encoding it has; null if it is not text. */
export async function textIn(
  files: Pick<Files, 'read' | 'readBytes'>,
  path: string,
): Promise<DecodedText | null> {
  const text = await files.read(path);
  // Only these characters can come from bytes that are not UTF-8 text. They may also be part of the file itself.
  if (!/[\0\ufffd]/u.test(text)) return { text, encoding: 'UTF-8' };
  return decodeText(await files.readBytes(path));
}

/**
 * Replaces the text of a file.
 *
 * @throws RoleZeroError `invalid` if the encoding lacks a character of the text.
 */
export async function writeText(files: Files, path: string, { text, encoding }: DecodedText): Promise<void> {
  if (encoding === 'UTF-8') return files.write(path, text);
  const character = missingCharacter(text, encoding);
  if (character !== null) {
    throw new RoleZeroError(
      'invalid',
      `${path} is encoded as ${encoding}, which has no ${describeCharacter(character)}. Nothing was changed. ` +
        'Use another character, or give the whole file to Editor.write, which then stores it as UTF-8.',
      { path, encoding, character },
    );
  }
  await files.write(path, encodeText(text, encoding));
}

/** Names an encoding at the end of a header. Empty for UTF-8, which files usually have. */
export function encodingNote(encoding: TextEncoding): string {
  return encoding === 'UTF-8' ? '' : `; ${encoding}`;
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
      : `There are ${firstNames(['/', ...directories])}.`;
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

function firstNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED_FILES).join(', ');
  return names.length > MAX_LISTED_FILES ? `${shown}… (${names.length - MAX_LISTED_FILES} more)` : shown;
}
