import { Dice } from './dice.js';
import { SimulatedTime } from './time.js';

/** Everything in the real platform that could make two runs of one seed differ, replaced while a schedule runs. */
export class Platform {
  time = new SimulatedTime();
  #dice = new Dice(0);
  readonly #setTimeout = globalThis.setTimeout;
  readonly #clearTimeout = globalThis.clearTimeout;
  readonly #structuredClone = globalThis.structuredClone;
  readonly #stackTraceLimit = Error.stackTraceLimit;
  readonly #getRandomValues = crypto.getRandomValues.bind(crypto);

  take(): void {
    const platform = this as { time: SimulatedTime };
    Error.stackTraceLimit = 0; // every fault is an error, and nobody reads where it came from
    globalThis.setTimeout = ((...args: Parameters<SimulatedTime['setTimeout']>) =>
      platform.time.setTimeout(...args)) as unknown as typeof setTimeout;
    globalThis.clearTimeout = (id) => platform.time.clearTimeout(id);
    globalThis.structuredClone = (value) => clone(value, this.#structuredClone) as typeof value;
    const fill = (array: Uint8Array | Uint32Array): typeof array => {
      for (let at = 0; at < array.length; at++) array[at] = this.#dice.word();
      return array;
    };
    Object.defineProperty(crypto, 'getRandomValues', { value: fill, configurable: true, writable: true });
  }

  /** A fresh world: no timers, and randomness from this seed. */
  reset(seed: number): void {
    this.time = new SimulatedTime();
    this.#dice = new Dice(seed);
  }

  giveBack(): void {
    Error.stackTraceLimit = this.#stackTraceLimit;
    globalThis.setTimeout = this.#setTimeout;
    globalThis.clearTimeout = this.#clearTimeout;
    globalThis.structuredClone = this.#structuredClone;
    Object.defineProperty(crypto, 'getRandomValues', {
      value: this.#getRandomValues,
      configurable: true,
      writable: true,
    });
  }
}

/** The platform's own copy of a value, ten times as fast for plain data, which nearly all of it is. */
function clone(value: unknown, whole: (value: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? whole(value) : value;
  if (Array.isArray(value)) return value.map((item) => clone(item, whole));
  if (Object.getPrototypeOf(value) !== Object.prototype) return whole(value);
  const copy = { ...value } as Record<string, unknown>;
  for (const key in copy) {
    const part = copy[key];
    if (typeof part === 'object' || typeof part === 'function') copy[key] = clone(part, whole);
  }
  return copy;
}

/** Resolves when every promise that can continue without a timer has continued. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
