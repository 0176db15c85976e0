import { RoleZeroError } from './error.js';
import type { FileInput } from './files.js';

/** Limits of the sizes in a workspace. */
export interface SizeLimits {
  /** Bytes of one file. */
  fileBytes: number;
  /** Bytes of all files together. */
  totalBytes: number;
}

/** Returns the error for a file that would exceed a limit. */
export function overFileLimit(limit: string, allowed: number, path: string, why: string): RoleZeroError {
  const advice = `Remove what is not needed or write less; the application can raise limits.${limit}.`;
  return new RoleZeroError('invalid', `${path} was not written: ${why}. ${advice}`, { path, limit, allowed });
}

/** @throws RoleZeroError `invalid` when a file is too large. */
export function checkFileSize(path: string, size: number, { fileBytes }: SizeLimits): void {
  if (size <= fileBytes) return;
  const why = `it would have ${size} bytes and a file may have ${fileBytes}`;
  throw overFileLimit('fileBytes', fileBytes, path, why);
}

/**
 * Checks files before their bytes are copied anywhere. Only what is certainly too large is rejected: who writes them checks the rest.
 * @throws RoleZeroError `invalid`
 */
export function checkFileSizes(
  files: readonly Pick<FileInput, 'path' | 'content'>[],
  limits: SizeLimits,
): void {
  let total = 0;
  for (const { path, content } of files) {
    const size = sizeOf(content, limits);
    checkFileSize(path, size, limits);
    total += size;
    if (total <= limits.totalBytes) continue;
    const why = `all files together would have at least ${total} bytes of ${limits.totalBytes}`;
    throw overFileLimit('totalBytes', limits.totalBytes, path, why);
  }
}

/** Returns the size of a content in bytes. Text is encoded only when it cannot fit; otherwise its length is a lower bound. */
function sizeOf(content: unknown, { fileBytes }: SizeLimits): number {
  if (content instanceof Uint8Array) return content.byteLength;
  if (typeof content !== 'string') return 0;
  return content.length > fileBytes ? new TextEncoder().encode(content).byteLength : content.length;
}
