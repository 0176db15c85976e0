import { RoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import { Content, type ContentRows, type FileContent } from './content.js';
import type { Entry } from './file-tree.js';
import { resolvedPath } from './path.js';
import { readRows } from './slices.js';
import type { StoredContents } from './stored-content.js';

/** The stored form of a file or directory, with its path as the key. A directory's content is empty. */
export interface FileRecord {
  type: 'file' | 'directory';
  /** The content, unless it has a row of its own. */
  content?: string | Uint8Array;
  /** The rows with the content in the table `contents`: a list of files needs no contents. */
  stored?: ContentRows & { size: number; hash: string };
  /** Milliseconds since 1970. */
  modifiedAt: number;
  /** See `Entry`. */
  untrusted?: readonly string[];
  own?: true;
  secret?: true;
}

export function toRecord({ content, ...rest }: Entry): FileRecord {
  return { ...rest, ...toRow(content) } as FileRecord;
}

function toRow(content: FileContent): Pick<FileRecord, 'content' | 'stored'> {
  if (content instanceof Content) return { content: content.stored };
  const { rows = { key: '' }, size } = content;
  return { stored: { ...rows, size, hash: content.hash() } };
}

/**
 * Converts a record to its entry. `contents` reads contents with a row of their own.
 *
 * @throws RoleZeroError `storage-corrupt` naming what is wrong with it.
 */
export function readRecord(key: string, value: unknown, contents: StoredContents): Entry {
  if (key === '/' || !isResolved(key))
    throw corruptRecord(key, 'is not stored under a path of the workspace');
  if (!isRecord(value)) throw corruptRecord(key, 'is not an object');
  const { type, modifiedAt, untrusted, own, secret } = value;
  if (type !== 'file' && type !== 'directory') throw corruptRecord(key, 'is neither a file nor a directory');
  const content = readContent(key, value, contents);
  if (typeof modifiedAt !== 'number' || !Number.isFinite(modifiedAt)) throw corruptRecord(key, 'has no date');
  if (type === 'directory' && content.size > 0) throw corruptRecord(key, 'is a directory with content');
  const labels = {
    ...(Array.isArray(untrusted) ? { untrusted: untrusted.map(String) } : {}),
    ...(own === true ? { own: true as const } : {}),
    ...(secret === true ? { secret: true as const } : {}),
  };
  return { type, content, modifiedAt, ...labels };
}

function readContent(
  path: string,
  { content, stored }: Record<string, unknown>,
  contents: StoredContents,
): FileContent {
  if (typeof content === 'string' || content instanceof Uint8Array) return new Content(content);
  if (isRecord(stored)) {
    const { size, hash } = stored;
    const rows = readRows(stored);
    if (rows !== null && typeof size === 'number' && typeof hash === 'string')
      return contents.add(rows, size, hash);
  }
  throw corruptRecord(path, 'has no content that is text or bytes');
}

function isResolved(key: string): boolean {
  return resolvedPath(key) === key;
}

export function corruptRecord(key: string, why: string): RoleZeroError {
  const advice = 'Restore an export with sessions.import().';
  return new RoleZeroError('storage-corrupt', `The stored file ${JSON.stringify(key)} ${why}. ${advice}`, {
    key,
  });
}
