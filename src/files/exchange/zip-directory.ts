import { RoleZeroError } from '../../core/error.js';
import { readLabels } from './zip-labels.js';

/** One entry of an archive, as its directory describes it. */
export interface ZipEntry {
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
      const { entry, end } = readEntry(bytes, view, place, base);
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

function readEntry(
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
  const name = nameOf(bytes.subarray(at + 46, nameEnd), (flags & 0x800) !== 0);
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
    localName: nameOf(bytes.subarray(local + 30, localEnd), isLocalUtf8),
    kind: kindOf(name, view.getUint32(at + 38, true)),
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
function kindOf(name: string, attributes: number): ZipEntry['kind'] {
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
function nameOf(bytes: Uint8Array, isUtf8: boolean): string {
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
