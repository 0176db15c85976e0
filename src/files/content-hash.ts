import { hexOfWords } from '../core/hex.js';

/**
 * Returns a hash of bytes: MurmurHash3 (x86, 128 bits) with their length, as hexadecimal digits. Meant for comparing versions of a file, at
 * about a gigabyte per second. It is not collision-resistant: someone can construct two contents with the same hash.
 */
export function contentHash(bytes: Uint8Array): string {
  const { length } = bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  const lanes: Lanes = [0, 0, 0, 0];
  let [a, b, c, d] = lanes;
  const whole = length - (length % 16);
  for (let at = 0; at < whole; at += 16) {
    a ^= Math.imul(rotate(Math.imul(view.getUint32(at, true), C1), 15), C2);
    a = (Math.imul((rotate(a, 19) + b) | 0, 5) + 0x561ccd1b) | 0;
    b ^= Math.imul(rotate(Math.imul(view.getUint32(at + 4, true), C2), 16), C3);
    b = (Math.imul((rotate(b, 17) + c) | 0, 5) + 0x0bcaa747) | 0;
    c ^= Math.imul(rotate(Math.imul(view.getUint32(at + 8, true), C3), 17), C4);
    c = (Math.imul((rotate(c, 15) + d) | 0, 5) + 0x96cd1c35) | 0;
    d ^= Math.imul(rotate(Math.imul(view.getUint32(at + 12, true), C4), 18), C1);
    d = (Math.imul((rotate(d, 13) + a) | 0, 5) + 0x32ac3b17) | 0;
  }
  const tail = new Uint8Array(16);
  tail.set(bytes.subarray(whole));
  const rest = new DataView(tail.buffer);
  d ^= Math.imul(rotate(Math.imul(rest.getUint32(12, true), C4), 18), C1);
  c ^= Math.imul(rotate(Math.imul(rest.getUint32(8, true), C3), 17), C4);
  b ^= Math.imul(rotate(Math.imul(rest.getUint32(4, true), C2), 16), C3);
  a ^= Math.imul(rotate(Math.imul(rest.getUint32(0, true), C1), 15), C2);
  return hexOfWords(spread(spread([a ^ length, b ^ length, c ^ length, d ^ length]).map(finish) as Lanes));
}

type Lanes = [number, number, number, number];

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}

/** Mixes all lanes into each. */
function spread([a, b, c, d]: Lanes): Lanes {
  const sum = (a + b + c + d) | 0;
  return [sum, (b + sum) | 0, (c + sum) | 0, (d + sum) | 0];
}

function finish(lane: number): number {
  let mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
