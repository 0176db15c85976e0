/** How much is remembered; what is pinned counts and stays. */
export interface Retention {
  maxItems: number;
  /** Characters of all contents together. */
  maxCharacters: number;
  /** Milliseconds; what is older goes. */
  maxAgeMs: number;
}

interface Kept {
  createdAt: number;
  characters: number;
  pinned: boolean;
}

/** Knows which memories have to go, oldest first. */
export class RetentionLedger {
  readonly #kept = new Map<string, Kept>();
  #characters = 0;

  constructor(private readonly limits: Retention) {}

  /** In the place of what is known of this id, which then keeps its place in the order. */
  note(id: string, kept: Kept): void {
    this.#characters += kept.characters - (this.#kept.get(id)?.characters ?? 0);
    this.#kept.set(id, kept);
  }

  drop(id: string): void {
    this.#characters -= this.#kept.get(id)?.characters ?? 0;
    this.#kept.delete(id);
  }

  /** The oldest memory that has to go now; null when there is none, or when all that is left is pinned. */
  due(now: number): string | null {
    const { maxItems, maxCharacters, maxAgeMs } = this.limits;
    const full = this.#kept.size > maxItems || this.#characters > maxCharacters;
    for (const [id, { createdAt, pinned }] of this.#kept) {
      if (pinned) continue;
      return full || now - createdAt > maxAgeMs ? id : null; // in the order they came: the next are younger
    }
    return null;
  }
}
