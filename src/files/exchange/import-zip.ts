import { Inflate } from 'fflate';
import { describe, RoleZeroError } from '../../core/error.js';
import type { SessionFiles } from '../../core/files.js';
import { Import, refused, type ImportOptions, type ImportResult } from './importing.js';
import { readZipDirectory, type ZipEntry } from './zip-directory.js';

export interface ImportZipOptions extends ImportOptions {
  /** Maximum ratio of unpacked to packed bytes of an entry larger than a megabyte; default 100. */
  maxRatio?: number;
}

/** Unpacked bytes that an entry may have with any ratio: a few thousand equal lines compress very well. */
const SMALL = 1024 * 1024;
/** Packed bytes passed to the decompressor at a time: it produces at most a thousand times as many. */
const STEP = 16 * 1024;

/**
 * Imports the files of a zip archive into a workspace, all of them in one transaction. An import that fails, is stopped, or is interrupted
 * by closing the tab changes nothing. Sizes are checked before and during unpacking. Empty directories are included. The archive may be as
 * large as the files may. The files are untrusted, as mail is, unless the option `trusted` is set.
 *
 * @throws RoleZeroError naming the entry at fault: `permission` for names that lead out of the directory, `invalid` for links, encrypted or
 * damaged entries and beyond limits, `conflict` for existing files (see `existing`).
 * @example await importZip(session.files, await (await fetch('/template.zip')).blob(), { path: '/project' })
 */
export async function importZip(
  files: Pick<SessionFiles, 'writeAll'>,
  archive: Blob | ArrayBuffer | Uint8Array,
  { maxRatio = 100, ...options }: ImportZipOptions = {},
): Promise<ImportResult> {
  const work = new Import('archive', archive instanceof File ? archive.name : '', options);
  const packed = archive instanceof Blob ? archive.size : archive.byteLength;
  const { totalBytes } = work.limits;
  if (packed > totalBytes) {
    throw new RoleZeroError(
      'invalid',
      `The archive was not imported: it has ${packed} bytes, and ${totalBytes} are allowed. Raise limits.totalBytes here and in the session.`,
      { limit: 'totalBytes', allowed: totalBytes },
    );
  }
  const bytes =
    archive instanceof Uint8Array
      ? archive
      : new Uint8Array(archive instanceof Blob ? await archive.arrayBuffer() : archive);
  const wanted = readZipDirectory(bytes, work.limits.files).flatMap((entry) => {
    check(entry, maxRatio);
    const path = work.announce(entry.name, entry.kind === 'directory' ? null : entry.size);
    return path === null ? [] : [{ entry, path }];
  });
  for (const { entry, path } of wanted) {
    if (entry.kind === 'directory') work.add(path, undefined);
    else work.add(path, await unpacked(entry, bytes, () => work.pause()), entry.untrusted);
    await work.pause();
  }
  return work.save(files);
}

function check({ name, localName, kind, encrypted, method, packed, size }: ZipEntry, maxRatio: number): void {
  const refuse = (why: string, detail: Record<string, unknown> = {}): RoleZeroError =>
    refused('invalid', 'archive', name, why, detail);
  if (localName !== name) throw refuse('has another name in its own header');
  if (kind === 'link') throw refuse('is a symbolic link, and there are none here. Pack what it points to');
  if (kind === 'other') throw refuse('is neither a file nor a directory');
  if (kind === 'directory') return;
  if (encrypted) throw refuse('is encrypted. Pack it without a password');
  if (method !== 0 && method !== 8)
    throw refuse(`is packed by a method (${method}) that is not read here. Use deflate`);
  if (method === 0 && packed !== size) throw refuse('is damaged: its sizes differ');
  if (size > SMALL && size > packed * maxRatio) {
    throw refuse(
      `has ${packed} bytes and would come to ${size}, as archives do that are made to fill the memory. If it is right, raise maxRatio`,
      { limit: 'maxRatio', allowed: maxRatio },
    );
  }
}

/** Returns the content of an entry. Bytes beyond its declared size are never stored. */
async function unpacked(
  { name, method, packed, size, start, crc }: ZipEntry,
  bytes: Uint8Array,
  pause: () => Promise<void>,
): Promise<Uint8Array<ArrayBuffer>> {
  const content = new Uint8Array(size);
  const source = bytes.subarray(start, start + packed);
  let length = 0;
  if (method === 0) {
    content.set(source);
    length = size;
  } else {
    const inflate = new Inflate((part) => {
      if (length + part.length > size)
        throw refused('invalid', 'archive', name, `comes to more than the ${size} bytes it says`);
      content.set(part, length);
      length += part.length;
    });
    for (let at = 0; at < packed || at === 0; at += STEP) {
      try {
        inflate.push(source.subarray(at, at + STEP), at + STEP >= packed);
      } catch (error) {
        if (error instanceof RoleZeroError) throw error;
        throw refused('invalid', 'archive', name, `is damaged (${describe(error)})`);
      }
      if (at > 0) await pause();
    }
  }
  if (length !== size || crc32(content) !== crc)
    throw refused('invalid', 'archive', name, 'is damaged: its checksum is another one');
  return content;
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Returns the CRC-32 checksum of zip archives. For bytes in several parts, `before` is the checksum of the earlier parts. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let value = ~before;
  for (const byte of bytes) value = (CRC_TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return ~value >>> 0;
}
