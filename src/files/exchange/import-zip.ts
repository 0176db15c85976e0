import { Inflate } from 'fflate';
import { describe, RoleZeroError } from '../../core/error.js';
import type { SessionFiles } from '../../core/files.js';
import { Import, importRefusal, type ImportOptions, type ImportResult } from './importing.js';
import { readLabels } from './zip-labels.js';

export interface ImportZipOptions extends ImportOptions {
  /** Maximum ratio of unpacked to packed bytes of an entry larger than a megabyte; default 100. */
  maxRatio?: number;
}

/** Unpacked bytes that an entry may have with any ratio: a few thousand equal lines compress very well. */
const SMALL = 1024 * 1024;
/** Packed bytes passed to the decompressor at a time: it produces at most a thousand times as many. */
const INFLATED_STEP = 16 * 1024;

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
    checkEntry(entry, maxRatio);
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

function checkEntry(
  { name, localName, kind, encrypted, method, packed, size }: ZipEntry,
  maxRatio: number,
): void {
  const refuse = (why: string, detail: Record<string, unknown> = {}): RoleZeroError =>
    importRefusal('invalid', 'archive', name, why, detail);
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
        throw importRefusal('invalid', 'archive', name, `comes to more than the ${size} bytes it says`);
      content.set(part, length);
      length += part.length;
    });
    for (let at = 0; at < packed || at === 0; at += INFLATED_STEP) {
      try {
        inflate.push(source.subarray(at, at + INFLATED_STEP), at + INFLATED_STEP >= packed);
      } catch (error) {
        if (error instanceof RoleZeroError) throw error;
        throw importRefusal('invalid', 'archive', name, `is damaged (${describe(error)})`);
      }
      if (at > 0) await pause();
    }
  }
  if (length !== size || crc32(content) !== crc)
    throw importRefusal('invalid', 'archive', name, 'is damaged: its checksum is another one');
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

/** One entry of an archive, as its directory describes it. */
interface ZipEntry {
  /** Ends with `/` for a directory. */
  name: string;
  /** The name in the header of the entry itself. */
  localName: string;
  kind: 'file' | 'directory' | 'link' | 'other';
  encrypted: boolean;
  /** 0 stored, 8 deflated; other methods are not supported. */
  method: number;
  crc: number;
  /** Packed bytes, and the declared number of unpacked bytes. */
  packed: number;
  size: number;
  /** Position of the packed bytes. */
  start: number;
  /** Untrusted sources that `exportZip` recorded. */
  untrusted: string[];
}

const END_RECORD = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const MAX_COMMENT = 0xffff;
const UNKNOWN_16 = 0xffff;
const UNKNOWN_32 = 0xffffffff;

/**
 * Reads the directory of a zip archive (APPNOTE 6.3: zip64, names in UTF-8 or code page 437, bytes before the archive). Unpacks nothing,
 * and allocates nothing based on declared sizes.
 *
 * @param maxEntries maximum number of entries; an archive with more is rejected
 * @throws RoleZeroError `invalid` for data that is not an archive, is damaged, or has overlapping parts, as zip bombs do.
 */
export function readZipDirectory(bytes: Uint8Array, maxEntries: number): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const { count, at, base } = findDirectory(view);
    if (count > maxEntries) {
      throw new RoleZeroError(
        'invalid',
        `The archive was not imported: it has ${count} entries, and ${maxEntries} are allowed. Raise limits.files here and in the session.`,
        { limit: 'files', allowed: maxEntries },
      );
    }
    const entries: ZipEntry[] = [];
    let place = at;
    for (let index = 0; index < count; index += 1) {
      const { entry, end } = readZipEntry(bytes, view, place, base);
      entries.push(entry);
      place = end;
    }
    checkApart(entries, at);
    return entries;
  } catch (error) {
    if (error instanceof RangeError) throw damaged('it ends too early', error);
    throw error;
  }
}

/** Creates the error for an archive that is damaged as a whole. */
function damaged(why: string, cause?: unknown): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    `The archive was not imported, and nothing was changed: ${why}. Is it a zip archive, and complete?`,
    {},
    cause,
  );
}

/** Returns the number of entries, the position of the first, and the amount to add to offsets. */
function findDirectory(view: DataView): { count: number; at: number; base: number } {
  const end = findEnd(view);
  let disks = view.getUint16(end + 4, true) + view.getUint16(end + 6, true);
  let count = view.getUint16(end + 10, true);
  let size = view.getUint32(end + 12, true);
  let offset = view.getUint32(end + 16, true);
  let endOfDirectory = end;
  const locator = end - 20;
  if (locator >= 0 && view.getUint32(locator, true) === LOCATOR_64) {
    // Its offset does not count bytes before the archive. The record without extensions is directly before the locator.
    const declared = long(view, locator + 8);
    const at =
      view.byteLength >= declared + 56 && view.getUint32(declared, true) === END_64 ? declared : locator - 56;
    if (at < 0 || view.getUint32(at, true) !== END_64) throw damaged('its end cannot be read');
    disks = view.getUint32(at + 16, true) + view.getUint32(at + 20, true);
    count = long(view, at + 32);
    size = long(view, at + 40);
    offset = long(view, at + 48);
    endOfDirectory = at;
  }
  if (disks !== 0) throw damaged('it is in several parts');
  const base = endOfDirectory - size - offset;
  if (base < 0) throw damaged('its directory cannot be found');
  return { count, at: base + offset, base };
}

function findEnd(view: DataView): number {
  const last = view.byteLength - 22;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at -= 1) {
    if (
      view.getUint32(at, true) === END_RECORD &&
      at + 22 + view.getUint16(at + 20, true) === view.byteLength
    )
      return at;
  }
  throw damaged('it has no directory at its end');
}

function readZipEntry(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  base: number,
): { entry: ZipEntry; end: number } {
  if (view.getUint32(at, true) !== CENTRAL) throw damaged('its directory cannot be read');
  const flags = view.getUint16(at + 8, true);
  const nameEnd = at + 46 + view.getUint16(at + 28, true);
  const extraEnd = nameEnd + view.getUint16(at + 30, true);
  const end = extraEnd + view.getUint16(at + 32, true);
  if (end > view.byteLength) throw damaged('its directory ends too early');
  const name = entryName(bytes.subarray(at + 46, nameEnd), (flags & 0x800) !== 0);
  const [size, packed, header] = long64Fields(view, nameEnd, extraEnd, [
    view.getUint32(at + 24, true),
    view.getUint32(at + 20, true),
    view.getUint32(at + 42, true),
  ]);
  if (view.getUint16(at + 34, true) % UNKNOWN_16 !== 0) throw damaged('it is in several parts');
  const local = base + header;
  if (view.getUint32(local, true) !== LOCAL)
    throw damaged(`the entry ${JSON.stringify(name)} is not where it should be`);
  const localEnd = local + 30 + view.getUint16(local + 26, true);
  const start = localEnd + view.getUint16(local + 28, true);
  const isLocalUtf8 = (view.getUint16(local + 6, true) & 0x800) !== 0;
  const entry: ZipEntry = {
    name,
    localName: entryName(bytes.subarray(local + 30, localEnd), isLocalUtf8),
    kind: entryKind(name, view.getUint32(at + 38, true)),
    encrypted: (flags & 0x2041) !== 0,
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packed,
    size,
    start,
    untrusted: readLabels(bytes.subarray(nameEnd, extraEnd)),
  };
  return { entry, end };
}

/** Values that exceed 32 bits are in an extra field, in this order. */
function long64Fields(
  view: DataView,
  from: number,
  to: number,
  fields: [size: number, packed: number, header: number],
): [size: number, packed: number, header: number] {
  let at = from;
  while (at + 4 <= to && view.getUint16(at, true) !== 1) at += 4 + view.getUint16(at + 2, true);
  at += 4;
  return fields.map((value) => {
    if (value !== UNKNOWN_32) return value;
    if (at + 8 > to) throw damaged('the size of an entry is missing');
    at += 8;
    return long(view, at - 8);
  }) as [number, number, number];
}

/** Unix modes are in the upper half of the attributes, whatever system the archive names as its creator. */
function entryKind(name: string, attributes: number): ZipEntry['kind'] {
  const mode = (attributes >>> 28) & 0xf;
  if (mode === 0xa) return 'link';
  if (name.endsWith('/') || mode === 0x4) return 'directory';
  return mode === 0 || mode === 0x8 ? 'file' : 'other';
}

/** Overlapping parts make the unpacked size exceed what the archive could contain. */
function checkApart(entries: readonly ZipEntry[], directory: number): void {
  let end = 0;
  for (const { name, start, packed } of entries.toSorted((one, other) => one.start - other.start)) {
    if (start < end || start + packed > directory)
      throw damaged(`the entry ${JSON.stringify(name)} overlaps another part`);
    end = start + packed;
  }
}

const CODE_PAGE_437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/** Many tools write UTF-8 without declaring it. A name that is not UTF-8 uses the code page of the format. */
function entryName(bytes: Uint8Array, isUtf8: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (isUtf8) throw damaged('a name in it is not UTF-8', error);
    return Array.from(bytes, (byte) =>
      byte < 128 ? String.fromCharCode(byte) : (CODE_PAGE_437[byte - 128] ?? ''),
    ).join('');
  }
}

function long(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}
