/** Computes a 32-bit FNV-1a hash of the UTF-16 code units. For lookup, not for security. */
export function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  return hash >>> 0;
}
/** Markers of an empty slot and of a deleted one. A lookup continues after a deleted slot. */
const EMPTY = 0;
const DELETED = -1;

/** Hash table from 32-bit hashes to numbers; a hash can have several numbers. Adding 100,000 numbers takes milliseconds. */
export class NumbersByHash {
  /** Each number plus one, in the first free slot from its hash on (linear probing). */
  #slots = new Float64Array(64);
  #hashes = new Uint32Array(64);
  /** Number of slots that are not empty, including deleted ones. */
  #used = 0;
  #size = 0;

  add(hash: number, number: number): void {
    this.reserve(1);
    this.#put(hash, number);
  }

  /** Makes space for `count` more numbers. */
  reserve(count: number): void {
    if (2 * (this.#used + count) > this.#slots.length) this.#rebuild(count);
  }

  remove(hash: number, number: number): void {
    for (const slot of this.#slotsOf(hash)) {
      if (this.#slots[slot] !== number + 1) continue;
      this.#slots[slot] = DELETED;
      this.#size--;
      return;
    }
  }

  /** Returns the first number under this hash that `isRight` accepts, or null. */
  find(hash: number, isRight: (number: number) => boolean): number | null {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const there = this.#slots[slot] ?? EMPTY;
      if (there === EMPTY) return null;
      if (there !== DELETED && this.#hashes[slot] === hash && isRight(there - 1)) return there - 1;
    }
  }

  /** Returns true when any number is stored under this hash. */
  has(hash: number): boolean {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const there = this.#slots[slot] ?? EMPTY;
      if (there === EMPTY) return false;
      if (there !== DELETED && this.#hashes[slot] === hash) return true;
    }
  }

  #put(hash: number, number: number): void {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & mask;
    this.#slots[slot] = number + 1;
    this.#hashes[slot] = hash;
    this.#used++;
    this.#size++;
  }

  *#slotsOf(hash: number): Generator<number> {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; this.#slots[slot] !== EMPTY; slot = (slot + 1) & mask)
      if (this.#hashes[slot] === hash) yield slot;
  }

  /** Drops deleted slots and makes space for more numbers. At most two fifths of the slots are in use then. */
  #rebuild(count: number): void {
    const [slots, hashes] = [this.#slots, this.#hashes];
    let length = 64;
    while (length < 2.5 * (this.#size + count)) length *= 2;
    this.#slots = new Float64Array(length);
    this.#hashes = new Uint32Array(length);
    this.#used = 0;
    this.#size = 0;
    for (let slot = 0; slot < slots.length; slot++) {
      const there = slots[slot] ?? EMPTY;
      if (there > EMPTY) this.#put(hashes[slot] ?? 0, there - 1);
    }
  }
}
