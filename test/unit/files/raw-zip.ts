import { deflateRawSync } from 'node:zlib';
import { crc32 } from '../../../src/files/exchange/import-zip.js';

/** An entry of an archive, valid or not. */
export interface RawEntry {
  name: string | Uint8Array;
  content?: string | Uint8Array;
  /** The name in the entry itself, where it differs from the directory. */
  localName?: string;
  method?: 0 | 8;
  flags?: number;
  crc?: number;
  /** The claimed size. */
  size?: number;
  /** Unix mode in the upper half. */
  attributes?: number;
  /** Sizes and checksum follow the data, and zeros precede it. */
  descriptor?: boolean;
  /** The claimed offset. */
  at?: number;
  disk?: number;
  /** Number of bytes claimed as data, where it differs. */
  packed?: number;
}

export interface RawEnd {
  comment?: Uint8Array;
  /** The claimed number of entries. */
  count?: number;
  disk?: number;
}

const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? new TextEncoder().encode(text) : text;

/** Writes an archive as specified, valid or not. */
export function rawZip(
  entries: readonly RawEntry[],
  { comment = new Uint8Array(), ...end }: RawEnd = {},
): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  const lengthOf = (list: readonly Uint8Array[]) => list.reduce((sum, { length }) => sum + length, 0);
  for (const {
    name,
    content = '',
    method = 0,
    flags = 0x800,
    descriptor = false,
    attributes = 0,
    ...entry
  } of entries) {
    const [plain, title, local] = [bytesOf(content), bytesOf(name), bytesOf(entry.localName ?? name)];
    const data = method === 0 ? plain : deflateRawSync(plain);
    const sizes = [entry.crc ?? crc32(plain), entry.packed ?? data.length, entry.size ?? plain.length];
    const at = entry.at ?? lengthOf(parts);
    const bits = descriptor ? flags | 8 : flags;
    const inLocal = descriptor ? [0, 0, 0] : sizes;
    parts.push(
      fields('42222244422', [0x04034b50, 20, bits, method, 0, 0, ...inLocal, local.length, 0]),
      local,
      data,
    );
    if (descriptor) parts.push(fields('4444', [0x08074b50, ...sizes]));
    const place = [0, 0, entry.disk ?? 0, 0, attributes, at];
    directory.push(
      fields('42222224442222244', [0x02014b50, 20, 20, bits, method, 0, 0, ...sizes, title.length, ...place]),
      title,
    );
  }
  const [from, length, count, disk] = [
    lengthOf(parts),
    lengthOf(directory),
    end.count ?? entries.length,
    end.disk ?? 0,
  ];
  const last = fields('42222442', [0x06054b50, disk, disk, count, count, length, from, comment.length]);
  return new Uint8Array(Buffer.concat([...parts, ...directory, last, comment]));
}

/** Numbers of two and four bytes. */
function fields(widths: string, values: readonly number[]): Uint8Array {
  const sizes = Array.from(widths, Number);
  const view = new DataView(new ArrayBuffer(sizes.reduce((sum, size) => sum + size, 0)));
  let at = 0;
  for (const [index, size] of sizes.entries()) {
    const value = values[index] ?? 0;
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}
