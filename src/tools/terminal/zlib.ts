/** The part of `node:zlib` that gzip, gunzip and zcat need, for the shell's worker: the bundler puts it in the other's place. */
import { Gunzip, gzipSync as gzip } from 'fflate';

/** Bytes handed to the unpacker at a time. */
const PIECE = 4096;

export const constants = {
  Z_OK: 0,
  Z_NO_COMPRESSION: 0,
  Z_BEST_SPEED: 1,
  Z_BEST_COMPRESSION: 9,
  Z_DEFAULT_COMPRESSION: -1,
};

/** @throws RangeError when more than `maxOutputLength` bytes come out: a small file can hold gigabytes. */
export function gunzipSync(bytes: Uint8Array, { maxOutputLength = Infinity } = {}): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Gunzip((part) => {
    parts.push(part);
    length += part.length;
    if (length > maxOutputLength) throw new RangeError(`more than ${maxOutputLength} bytes`);
  });
  // In small pieces: each is unpacked whole before anybody can say stop.
  for (let at = 0; at < bytes.length; at += PIECE)
    stream.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length);
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function gzipSync(bytes: Uint8Array, { level = 6 }: { level?: number } = {}): Uint8Array {
  return gzip(bytes, { level: level < 0 || level > 9 ? 6 : (level as 6), mtime: 0 });
}
