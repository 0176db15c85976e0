import { RoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import { Content } from './content.js';
import type { Entry } from './file-tree.js';
import { resolvePath } from './path.js';

/** The stored form of a file or directory, with its path as the key. A directory's content is empty. */
export interface FileRecord {
  type: 'file' | 'directory';
  content: string | Uint8Array;
  /** Milliseconds since 1970. */
  modifiedAt: number;
  /** See `Entry`. */
  untrusted?: readonly string[];
  own?: true;
  secret?: true;
}

export function toRecord({ content, ...rest }: Entry): FileRecord {
  return { ...rest, content: content.stored } as FileRecord;
}

/**
 * Converts a record to its entry.
 *
 * @throws RoleZeroError `storage-corrupt` naming what is wrong with it.
 */
export function readRecord(key: string, value: unknown): Entry {
  if (key === '/' || !isResolved(key))
    throw corruptRecord(key, 'is not stored under a path of the workspace');
  if (!isRecord(value)) throw corruptRecord(key, 'is not an object');
  const { type, content, modifiedAt, untrusted, own, secret } = value;
  if (type !== 'file' && type !== 'directory') throw corruptRecord(key, 'is neither a file nor a directory');
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) {
    throw corruptRecord(key, 'has no content that is text or bytes');
  }
  if (typeof modifiedAt !== 'number' || !Number.isFinite(modifiedAt)) throw corruptRecord(key, 'has no date');
  if (type === 'directory' && content.length > 0) throw corruptRecord(key, 'is a directory with content');
  const labels = {
    ...(Array.isArray(untrusted) ? { untrusted: untrusted.map(String) } : {}),
    ...(own === true ? { own: true as const } : {}),
    ...(secret === true ? { secret: true as const } : {}),
  };
  return { type, content: new Content(content), modifiedAt, ...labels };
}

function isResolved(key: string): boolean {
  try {
    return resolvePath(key) === key;
  } catch {
    return false;
  }
}

export function corruptRecord(key: string, why: string): RoleZeroError {
  const advice = 'Remove this record, or restore the session from an export.';
  return new RoleZeroError('storage-corrupt', `The stored file ${JSON.stringify(key)} ${why}. ${advice}`, {
    key,
  });
}
