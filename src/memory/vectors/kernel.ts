import { fromBase64 } from '../../core/bytes.js';
import { KERNEL_BYTES } from './kernel-bytes.js';

/** Inner loops of the index over one block of memory. Pointers are byte offsets into the block, aligned to 16. */
export interface Kernel {
  /** A different buffer after the memory has grown. */
  readonly buffer: ArrayBuffer;
  /** Grows the memory to at least this many bytes. New bytes are zero. */
  reserve(bytes: number): void;
  /**
   * Computes the Hamming distances (u16) between the query's signs and each row of `words` 64-bit words, and counts them in the histogram.
   */
  scan(query: number, codes: number, rows: number, words: number, distances: number, histogram: number): void;
  /** Writes the indexes (i32) of the rows with a distance below the limit. Returns their number. */
  gather(distances: number, rows: number, limit: number, out: number): number;
  /**
   * Computes the dot products (f32) of the query (i16) with the rows at these places, times each row's scale (f32). A row's value is four
   * times its byte (i8, `size` per row), plus or minus one according to its fine bit. The sums must fit into 32 bits.
   */
  rescore(
    query: number,
    rows: number,
    fine: number,
    scales: number,
    size: number,
    places: number,
    count: number,
    out: number,
  ): void;
  /** Quantizes a vector (f32, `size` values) and writes its bytes, fine bits (which half of a byte's step), signs, and scale. */
  write(vector: number, row: number, fine: number, signs: number, scale: number, size: number): void;
}

const WASM_PAGE_BYTES = 65_536;
const MAX_PAGES = 65_536;

type Loops = Pick<Kernel, 'scan' | 'gather' | 'rescore' | 'write'>;

/** Creates the kernel in WebAssembly with SIMD. Returns null where SIMD is missing or the page's policy forbids compilation. */
export function simdKernel(): Kernel | null {
  try {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES });
    const module = new WebAssembly.Module(fromBase64(KERNEL_BYTES) ?? new Uint8Array());
    const { exports } = new WebAssembly.Instance(module, { env: { memory } });
    const loops = exports as unknown as Loops;
    return {
      get buffer() {
        return memory.buffer;
      },
      reserve(bytes) {
        const missing = Math.ceil((bytes - memory.buffer.byteLength) / WASM_PAGE_BYTES);
        if (missing > 0) memory.grow(missing);
      },
      scan: (...of) => loops.scan(...of),
      gather: (...of) => loops.gather(...of),
      rescore: (...of) => loops.rescore(...of),
      write: (...of) => loops.write(...of),
    };
  } catch {
    return null;
  }
}

/** The same kernel in plain JavaScript, about five times slower. */
export class PlainKernel implements Kernel {
  buffer = new ArrayBuffer(WASM_PAGE_BYTES);

  reserve(bytes: number): void {
    if (bytes <= this.buffer.byteLength) return;
    const larger = new ArrayBuffer(Math.max(bytes, Math.ceil(this.buffer.byteLength * 1.25)));
    new Uint8Array(larger).set(new Uint8Array(this.buffer));
    this.buffer = larger;
  }

  readonly scan: Kernel['scan'] = (query, codes, rows, words, distances, histogram) => {
    const { buffer } = this;
    const halves = 2 * words;
    const sought = new Int32Array(buffer, query, halves);
    const all = new Int32Array(buffer, codes, rows * halves);
    const to = new Uint16Array(buffer, distances, rows);
    const counts = new Int32Array(buffer, histogram, 64 * words + 1);
    const fourfold = halves - (halves % 4);
    for (let row = 0, at = 0; row < rows; row++) {
      // Full adders (Harley and Seal) sum four words at a time; only the fours are counted for each of them.
      let ones = 0;
      let twos = 0;
      let fours = 0;
      for (let half = 0; half < fourfold; half += 4, at += 4) {
        const first = (all[at] ?? 0) ^ (sought[half] ?? 0);
        const second = (all[at + 1] ?? 0) ^ (sought[half + 1] ?? 0);
        const third = (all[at + 2] ?? 0) ^ (sought[half + 2] ?? 0);
        const fourth = (all[at + 3] ?? 0) ^ (sought[half + 3] ?? 0);
        const odd = ones ^ first ^ second;
        const pair = (ones & first) | ((ones ^ first) & second);
        const otherPair = (odd & third) | ((odd ^ third) & fourth);
        ones = odd ^ third ^ fourth;
        fours += bitsOf((twos & pair) | ((twos ^ pair) & otherPair));
        twos ^= pair ^ otherPair;
      }
      let distance = 4 * fours + 2 * bitsOf(twos) + bitsOf(ones);
      for (let half = fourfold; half < halves; half++)
        distance += bitsOf((all[at++] ?? 0) ^ (sought[half] ?? 0));
      to[row] = distance;
      counts[distance] = (counts[distance] ?? 0) + 1;
    }
  };

  readonly gather: Kernel['gather'] = (distances, rows, limit, out) => {
    const { buffer } = this;
    const all = new Uint16Array(buffer, distances, rows);
    const to = new Int32Array(buffer, out, rows);
    let count = 0;
    for (let row = 0; row < rows; row++) if ((all[row] ?? 0) < limit) to[count++] = row;
    return count;
  };

  readonly rescore: Kernel['rescore'] = (query, rows, fine, scales, size, places, count, out) => {
    const { buffer } = this;
    const sought = new Int16Array(buffer, query, size);
    const chosen = new Int32Array(buffer, places, count);
    const to = new Float32Array(buffer, out, count);
    for (let at = 0; at < count; at++) {
      const place = chosen[at] ?? 0;
      const row = new Int8Array(buffer, rows + place * size, size);
      const bits = new Uint8Array(buffer, fine + place * (size / 8), size / 8);
      let dot = 0;
      for (let eight = 0, value = 0; eight < bits.length; eight++) {
        for (let above = 2 * (bits[eight] ?? 0) + 512; above > 3; above >>= 1)
          dot += (4 * (row[value] ?? 0) + (above & 2) - 1) * (sought[value++] ?? 0);
      }
      to[at] = Math.fround(dot) * (new Float32Array(buffer, scales + 4 * place, 1)[0] ?? 0);
    }
  };

  readonly write: Kernel['write'] = (vector, row, fine, signs, scale, size) => {
    const { buffer } = this;
    const numbers = new Float32Array(buffer, vector, size);
    const bytes = new Int8Array(buffer, row, size);
    const halves = new Uint8Array(buffer, fine, size / 8).fill(0);
    const above = new Uint8Array(buffer, signs, size / 8).fill(0);
    let most = 0;
    for (const number of numbers) most = Math.max(most, Math.abs(number));
    const factor = most === 0 ? 0 : Math.fround(127 / most);
    let length = 0;
    let projection = 0;
    for (let at = 0; at < size; at++) {
      const number = numbers[at] ?? 0;
      const value = Math.fround(number * factor);
      const whole = (bytes[at] = Math.floor(Math.fround(value + 0.5)));
      const eight = at >> 3;
      const bit = 1 << (at & 7);
      if (value > whole) halves[eight] = (halves[eight] ?? 0) | bit;
      if (number > 0) above[eight] = (above[eight] ?? 0) | bit;
      length += number * number;
      projection += number * (whole + (value > whole ? 0.25 : -0.25));
    }
    new Float32Array(buffer, scale, 1)[0] = projection > 0 ? length / projection : 0;
  };
}

/** Returns the number of set bits in a 32-bit word. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
