/** SHA-256 of bytes, or of a text's UTF-8 ones, as 64 hexadecimal digits; the platform's own is asynchronous and missing outside secure contexts. */
export function sha256(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const padded = new DataView(new ArrayBuffer((((bytes.length + 8) >> 6) + 1) << 6));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 8, Math.floor(bytes.length / 2 ** 29));
  padded.setUint32(padded.byteLength - 4, bytes.length << 3);
  const { start, rounds } = constants();
  const hash = Uint32Array.from(start);
  const schedule = new Uint32Array(64);
  for (let block = 0; block < padded.byteLength; block += 64) mix(hash, schedule, rounds, padded, block);
  return Array.from(hash, (word) => word.toString(16).padStart(8, '0')).join('');
}

function mix(
  hash: Uint32Array,
  schedule: Uint32Array,
  rounds: Uint32Array,
  data: DataView,
  block: number,
): void {
  const word = (index: number): number => schedule[index] ?? 0;
  for (let index = 0; index < 16; index++) schedule[index] = data.getUint32(block + index * 4);
  for (let index = 16; index < 64; index++) {
    const early = word(index - 15);
    const late = word(index - 2);
    const a = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const b = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[index] = word(index - 16) + a + word(index - 7) + b;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let index = 0; index < 64; index++) {
    const choice = (e & f) ^ (~e & g);
    const first =
      h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + (rounds[index] ?? 0) + word(index);
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) hash[index] = (hash[index] ?? 0) + value;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

let known: { start: Uint32Array; rounds: Uint32Array } | undefined;

/** The first 32 fractional bits of the roots of the first primes: square roots of eight, cube roots of 64. */
function constants(): { start: Uint32Array; rounds: Uint32Array } {
  if (known !== undefined) return known;
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  const bits = (root: number): number => Math.floor((root % 1) * 2 ** 32);
  known = {
    start: Uint32Array.from(primes.slice(0, 8), (prime) => bits(Math.sqrt(prime))),
    rounds: Uint32Array.from(primes, (prime) => bits(Math.cbrt(prime))),
  };
  return known;
}
