/** Subset of `node:zlib` for gzip, gunzip and zcat, for the shell's worker. The bundler substitutes it for `node:zlib`. */
import { Gunzip, gzipSync as gzip } from 'fflate';

/** Number of bytes passed to the decompressor at a time. */
const CHUNK_BYTES = 4096;

export const constants = {
  Z_OK: 0,
  Z_NO_COMPRESSION: 0,
  Z_BEST_SPEED: 1,
  Z_BEST_COMPRESSION: 9,
  Z_DEFAULT_COMPRESSION: -1,
};

/** @throws RangeError if the output exceeds `maxOutputLength` bytes: a small file can expand to gigabytes. */
export function gunzipSync(bytes: Uint8Array, { maxOutputLength = Infinity } = {}): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Gunzip((part) => {
    parts.push(part);
    length += part.length;
    if (length > maxOutputLength) throw new RangeError(`more than ${maxOutputLength} bytes`);
  });
  // Small chunks, because each is decompressed completely before the limit can stop it.
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    stream.push(bytes.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= bytes.length);
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
