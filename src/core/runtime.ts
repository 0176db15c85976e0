import { hexOfWords } from './bytes.js';

/** The only source of time, randomness and ids, so that a run can be replayed exactly. */
export interface Runtime {
  /** Milliseconds since 1970. */
  now(): number;
  /** Uniform in [0, 1). */
  random(): number;
  /** Returns 32 hexadecimal characters that differ from all earlier ids. */
  newId(): string;
}

/** The four 32-bit words of the generator's state; plain data, committed with the session. */
export type RandomState = [number, number, number, number];

/**
 * A runtime whose ids and random numbers depend only on its state (sfc32). The state is committed with everything else. Work that is
 * repeated after a crash therefore gets the same ids, and writing it twice has the effect of writing it once.
 */
export class SeededRuntime implements Runtime {
  readonly #state: RandomState;

  constructor(
    state: RandomState,
    readonly now: () => number = Date.now,
  ) {
    this.#state = [...state];
  }

  /** Creates a runtime seeded from the platform's entropy. */
  static fresh(now?: () => number): SeededRuntime {
    const words = crypto.getRandomValues(new Uint32Array(4));
    return new SeededRuntime([...words] as RandomState, now);
  }

  random(): number {
    return this.#word() / 2 ** 32;
  }

  newId(): string {
    return hexOfWords([this.#word(), this.#word(), this.#word(), this.#word()]);
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
