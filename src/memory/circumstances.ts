import { namedIn, timesIn } from './cues.js';
import type { MemoryEntry } from './memory-entry.js';
import type { Circumstances, Cues } from './ranking.js';

/** Milliseconds: after a longer pause another conversation begins. */
const PAUSE = 3_600_000;
/** Messages: a conversation that goes on and on is looked at in stretches. */
const STRETCH = 50;

/** Who said each memory, when, and in which conversation. Memories come in the order of their numbers. */
export class MemoryCircumstances {
  readonly #of = new Map<number, Circumstances>();
  /** How many memories each speaker has. */
  readonly #speakers = new Map<string, number>();
  #passage = 0;
  #inPassage = 0;
  #last = -Infinity;

  /** One that is there already stays in its conversation. */
  add({ number, createdAt, speaker, told, asks, length }: MemoryEntry): void {
    const passage = this.#of.get(number)?.passage ?? this.#passageAt(createdAt);
    this.remove(number);
    this.#speakers.set(speaker, (this.#speakers.get(speaker) ?? 0) + 1);
    this.#of.set(number, { at: createdAt, speaker, told, asks, length, passage });
  }

  #passageAt(createdAt: number): number {
    if (createdAt - this.#last > PAUSE || this.#inPassage >= STRETCH) {
      this.#passage++;
      this.#inPassage = 0;
    }
    this.#inPassage++;
    this.#last = createdAt;
    return this.#passage;
  }

  remove(number: number): void {
    const speaker = this.#of.get(number)?.speaker;
    if (speaker === undefined) return;
    this.#of.delete(number);
    const left = (this.#speakers.get(speaker) ?? 1) - 1;
    if (left === 0) this.#speakers.delete(speaker);
    else this.#speakers.set(speaker, left);
  }

  get(number: number): Circumstances | undefined {
    return this.#of.get(number);
  }

  /** Who and when a query is about. */
  cues(query: string): Cues {
    return { speakers: namedIn(query, this.#speakers.keys()), times: timesIn(query) };
  }
}
