/** Part of a reply. */
export interface ReplyDelta {
  type: 'text-delta' | 'reasoning-delta';
  text: string;
}

const THINK_START = '<think>';
const THINK_END = '</think>';

/**
 * Separates thinking from text while a reply streams. Thinking is between `<think>` and `</think>` at the start of the reply. Also holds
 * back a possible start of a stop string, because the engine removes a complete one afterwards.
 */
export class Thoughts {
  readonly #stops: readonly string[];
  #state: 'undecided' | 'thinking' | 'closing' | 'saying' = 'undecided';
  #pending = '';
  #thought = false;

  constructor(stops: readonly string[] = []) {
    this.#stops = stops;
  }

  /** Adds text of the reply and returns the pieces that can be emitted. */
  add(text: string): ReplyDelta[] {
    this.#pending += text;
    return this.#pieces(false);
  }

  /**
   * Returns the remaining pieces. `raw` is the complete reply of the engine. It is shorter than the added text if a stop string was
   * removed.
   */
  end(raw: string, added: number): ReplyDelta[] {
    const taken = added - raw.length;
    if (taken > 0) this.#pending = this.#pending.slice(0, Math.max(0, this.#pending.length - taken));
    else this.#pending += raw.slice(added);
    return this.#pieces(true);
  }

  #pieces(atEnd: boolean): ReplyDelta[] {
    const pieces: ReplyDelta[] = [];
    const put = (type: ReplyDelta['type'], text: string) => {
      if (text !== '') pieces.push({ type, text });
    };
    if (this.#state === 'undecided') {
      const start = this.#pending.trimStart();
      if (start.startsWith(THINK_START)) {
        this.#state = 'thinking';
        this.#pending = start.slice(THINK_START.length);
      } else if (atEnd || !THINK_START.startsWith(start)) {
        this.#state = 'saying';
      }
    }
    if (this.#state === 'thinking') {
      if (!this.#thought) this.#pending = this.#pending.trimStart();
      const end = this.#pending.indexOf(THINK_END);
      const open = this.#pending
        .slice(0, this.#pending.length - heldBack(this.#pending, [THINK_END]))
        .trimEnd();
      const thought = end >= 0 ? this.#pending.slice(0, end).trimEnd() : atEnd ? this.#pending : open;
      this.#thought ||= thought !== '';
      put('reasoning-delta', thought);
      this.#pending =
        end >= 0 ? this.#pending.slice(end + THINK_END.length) : this.#pending.slice(thought.length);
      if (end >= 0) this.#state = 'closing';
    }
    if (this.#state === 'closing') {
      this.#pending = this.#pending.trimStart();
      if (this.#pending !== '') this.#state = 'saying';
    }
    if (this.#state === 'saying') {
      const sure = this.#pending.length - (atEnd ? 0 : heldBack(this.#pending, this.#stops));
      put('text-delta', this.#pending.slice(0, sure));
      this.#pending = this.#pending.slice(sure);
    }
    return pieces;
  }
}

/** Returns the number of characters at the end of a text that could start one of these strings. */
export function heldBack(text: string, starts: readonly string[]): number {
  let most = 0;
  for (const start of starts) {
    for (let size = Math.min(start.length - 1, text.length); size > most; size--) {
      if (start.startsWith(text.slice(text.length - size))) most = size;
    }
  }
  return most;
}

/** Ends a text at the first stop string, for engines without stop strings. Holds back text that may be the start of one. */
export class CutAtStop {
  readonly #stops: readonly string[];
  #pending = '';
  /** True once a stop string was found. */
  isOver = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  /** Adds text and returns the part that can be emitted. */
  add(text: string): string {
    if (this.isOver) return '';
    this.#pending += text;
    const ends = this.#stops.map((stop) => this.#pending.indexOf(stop)).filter((at) => at >= 0);
    if (ends.length === 0) return this.#take(this.#pending.length - heldBack(this.#pending, this.#stops));
    this.isOver = true;
    return this.#take(Math.min(...ends));
  }

  /** Returns the remaining text after the engine has finished. */
  end(): string {
    return this.isOver ? '' : this.#take(this.#pending.length);
  }

  #take(size: number): string {
    const taken = this.#pending.slice(0, size);
    this.#pending = this.#pending.slice(size);
    return taken;
  }
}
