import { fromBase64 } from '../../base/base64.js';
import { KERNEL_BYTES } from './kernel-bytes.js';

/** The inner loops of the index over one block of memory; pointers are byte offsets into it, aligned to 16. */
export interface Kernel {
  /** Changes when it grows. */
  readonly buffer: ArrayBuffer;
  /** Makes the memory at least so many bytes; what is new is zero. */
  reserve(bytes: number): void;
  /** Hamming distances (u16) between the query's signs and those of rows of `words` 64-bit words each, counted in the histogram. */
  scan(query: number, codes: number, rows: number, words: number, distances: number, histogram: number): void;
  /** Writes the places (i32) of the rows nearer than the limit; how many. */
  gather(distances: number, rows: number, limit: number, out: number): number;
  /** Dot products (f32) of the query (i16) with the rows (i8, `size` each) at these places, times the scale (f32) of each row. */
  rescore(
    query: number,
    rows: number,
    scales: number,
    size: number,
    places: number,
    count: number,
    out: number,
  ): void;
}

const PAGE = 65_536;
const MOST_PAGES = 65_536;

type Loops = Pick<Kernel, 'scan' | 'gather' | 'rescore'>;

/** The kernels in WebAssembly with SIMD. Null where that is missing, or where the page's policy forbids to compile it. */
export function simdKernel(): Kernel | null {
  try {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES });
    const module = new WebAssembly.Module(fromBase64(KERNEL_BYTES) ?? new Uint8Array());
    const { exports } = new WebAssembly.Instance(module, { env: { memory } });
    const loops = exports as unknown as Loops;
    return {
      get buffer() {
        return memory.buffer;
      },
      reserve(bytes) {
        const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
        if (missing > 0) memory.grow(missing);
      },
      scan: (...of) => loops.scan(...of),
      gather: (...of) => loops.gather(...of),
      rescore: (...of) => loops.rescore(...of),
    };
  } catch {
    return null;
  }
}

/** The same in plain JavaScript: some four times slower. */
export function plainKernel(): Kernel {
  let buffer = new ArrayBuffer(PAGE);
  return {
    get buffer() {
      return buffer;
    },
    reserve(bytes) {
      if (bytes <= buffer.byteLength) return;
      const larger = new ArrayBuffer(Math.max(bytes, Math.ceil(buffer.byteLength * 1.25)));
      new Uint8Array(larger).set(new Uint8Array(buffer));
      buffer = larger;
    },
    scan(query, codes, rows, words, distances, histogram) {
      const halves = 2 * words;
      const sought = new Uint32Array(buffer, query, halves);
      const all = new Uint32Array(buffer, codes, rows * halves);
      const to = new Uint16Array(buffer, distances, rows);
      const counts = new Int32Array(buffer, histogram, 64 * words + 1);
      for (let row = 0, at = 0; row < rows; row++) {
        let distance = 0;
        for (let half = 0; half < halves; half++) distance += bitsOf((all[at++] ?? 0) ^ (sought[half] ?? 0));
        to[row] = distance;
        counts[distance] = (counts[distance] ?? 0) + 1;
      }
    },
    gather(distances, rows, limit, out) {
      const all = new Uint16Array(buffer, distances, rows);
      const to = new Int32Array(buffer, out, rows);
      let count = 0;
      for (let row = 0; row < rows; row++) if ((all[row] ?? 0) < limit) to[count++] = row;
      return count;
    },
    rescore(query, rows, scales, size, places, count, out) {
      const sought = new Int16Array(buffer, query, size);
      const chosen = new Int32Array(buffer, places, count);
      const to = new Float32Array(buffer, out, count);
      for (let at = 0; at < count; at++) {
        const place = chosen[at] ?? 0;
        const row = new Int8Array(buffer, rows + place * size, size);
        let dot = 0;
        for (let value = 0; value < size; value++) dot += (row[value] ?? 0) * (sought[value] ?? 0);
        to[at] = dot * (new Float32Array(buffer, scales + 4 * place, 1)[0] ?? 0);
      }
    },
  };
}

/** How many bits of 32 are set. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
