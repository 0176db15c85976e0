import { hex32 } from './hex.js';

/** Time, chance and identity come from here and nowhere else, so that a run can be replayed exactly. */
export interface Runtime {
  /** Milliseconds since 1970. */
  now(): number;
  /** Uniform in [0, 1). */
  random(): number;
  /** 32 hexadecimal characters, unlike any given before. */
  newId(): string;
}

/** The four words of the generator; plain data, committed with the session. */
export type RandomState = [number, number, number, number];

/**
 * A runtime whose ids and randomness follow from its state alone (sfc32). Because the state is committed with everything else,
 * work that is done again after a crash gets the very same ids, and writing it twice is writing it once.
 */
export class SeededRuntime implements Runtime {
  readonly #state: RandomState;

  constructor(
    state: RandomState,
    readonly now: () => number = Date.now,
  ) {
    this.#state = [...state];
  }

  /** A runtime seeded from the platform's entropy. */
  static fresh(now?: () => number): SeededRuntime {
    const words = crypto.getRandomValues(new Uint32Array(4));
    return new SeededRuntime([...words] as RandomState, now);
  }

  random(): number {
    return this.#word() / 2 ** 32;
  }

  newId(): string {
    return hex32(this.#word()) + hex32(this.#word()) + hex32(this.#word()) + hex32(this.#word());
  }

  snapshot(): RandomState {
    return [...this.#state];
  }

  #word(): number {
    const state = this.#state;
    const [a, b, c, counter] = state;
    const result = (a + b + counter) | 0;
    state[0] = b ^ (b >>> 9);
    state[1] = (c + (c << 3)) | 0;
    state[2] = (((c << 21) | (c >>> 11)) + result) | 0;
    state[3] = (counter + 1) | 0;
    return result >>> 0;
  }
}
