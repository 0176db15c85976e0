import { SeededRuntime } from '../../../src/core/runtime.js';

/** Pseudorandom numbers that follow from a seed alone. */
export class Dice {
  private readonly runtime: SeededRuntime;

  constructor(seed: number) {
    this.runtime = new SeededRuntime([seed | 0, 0x9e3779b9 | 0, 0x243f6a88, 1]);
    for (let round = 0; round < 8; round++) this.runtime.random(); // Small seeds start with similar values.
  }

  /** Returns an integer from 0 to `below` - 1. */
  below(below: number): number {
    return Math.floor(this.runtime.random() * below);
  }

  /** Returns true once in `times`. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }

  word(): number {
    return Math.floor(this.runtime.random() * 2 ** 32);
  }
}
