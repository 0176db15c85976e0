import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Dice } from './dice.js';
import { SimulatedTime } from './time.js';

/** Replaces, while a schedule runs, everything in the platform that could make two runs of one seed differ. */
export class Platform {
  time = new SimulatedTime();
  #dice = new Dice(0);
  readonly #setTimeout = globalThis.setTimeout;
  readonly #clearTimeout = globalThis.clearTimeout;
  readonly #structuredClone = globalThis.structuredClone;
  readonly #compression = [globalThis.CompressionStream, globalThis.DecompressionStream] as const;
  readonly #stackTraceLimit = Error.stackTraceLimit;
  readonly #getRandomValues = crypto.getRandomValues.bind(crypto);

  take(): void {
    const platform = this as { time: SimulatedTime };
    Error.stackTraceLimit = 0; // Every fault is an error, and stack traces are never read.
    globalThis.setTimeout = ((...args: Parameters<SimulatedTime['setTimeout']>) =>
      platform.time.setTimeout(...args)) as unknown as typeof setTimeout;
    globalThis.clearTimeout = (id) => platform.time.clearTimeout(id);
    globalThis.structuredClone = (value) => clone(value, this.#structuredClone) as typeof value;
    globalThis.CompressionStream = withoutThreads(deflateRawSync);
    globalThis.DecompressionStream = withoutThreads(inflateRawSync);
    const fill = (array: Uint8Array | Uint32Array): typeof array => {
      for (let at = 0; at < array.length; at++) array[at] = this.#dice.word();
      return array;
    };
    Object.defineProperty(crypto, 'getRandomValues', { value: fill, configurable: true, writable: true });
  }

  /** Resets the platform: no timers, and randomness from this seed. */
  reset(seed: number): void {
    this.time = new SimulatedTime();
    this.#dice = new Dice(seed);
  }

  giveBack(): void {
    Error.stackTraceLimit = this.#stackTraceLimit;
    globalThis.setTimeout = this.#setTimeout;
    globalThis.clearTimeout = this.#clearTimeout;
    globalThis.structuredClone = this.#structuredClone;
    [globalThis.CompressionStream, globalThis.DecompressionStream] = this.#compression;
    Object.defineProperty(crypto, 'getRandomValues', {
      value: this.#getRandomValues,
      configurable: true,
      writable: true,
    });
  }
}

/** A stream that converts everything at its end. */
function withoutThreads(convert: (bytes: Uint8Array) => Uint8Array): typeof CompressionStream {
  return class extends TransformStream<Uint8Array, Uint8Array> {
    constructor() {
      const parts: Uint8Array[] = [];
      super({
        transform: (part) => void parts.push(part),
        flush: (controller) => controller.enqueue(convert(Buffer.concat(parts))),
      });
    }
  } as typeof CompressionStream;
}

/** A replacement of `structuredClone`, ten times as fast for plain data. */
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

/** Resolves when every promise that can settle without a timer has settled. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
