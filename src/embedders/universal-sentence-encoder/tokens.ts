/** Vocabulary entries in the order of the model's ids: a piece of text and its log probability. */
export type Vocabulary = readonly (readonly [piece: string, score: number])[];

const SPACE = '\u2581';
/** Number of ids at the start that are not text: unknown, beginning, end, and spare ones. */
const RESERVED_IDS = 6;
const UNKNOWN_ID = 0;

/** Splits texts into the pieces that a model knows (SentencePiece unigram). Chooses the most probable split. */
export class Tokenizer {
  readonly #vocabulary: Vocabulary;
  readonly #ids = new Map<string, number>();
  readonly #longest: number;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;

    let longest = 1;
    for (const [id, [piece]] of vocabulary.entries()) {
      if (id < RESERVED_IDS) continue;
      this.#ids.set(piece, id);
      longest = Math.max(longest, Array.from(piece).length);
    }
    this.#longest = longest;
  }

  /** Returns the ids of the pieces in order. Consecutive unknown characters become one id. */
  encode(text: string): number[] {
    const normal = text.normalize('NFKC');
    const symbols = normal === '' ? [] : Array.from(SPACE + normal.replaceAll(' ', SPACE));
    // For each end position, the best last piece (id and length) and the total score up to there.
    const best = Array.from({ length: symbols.length + 1 }, () => ({
      score: -Infinity,
      id: UNKNOWN_ID,
      length: 1,
    }));
    if (best[0] !== undefined) best[0].score = 0;
    for (let start = 0; start < symbols.length; start++) {
      const before = best[start]?.score ?? 0;
      let known = false;
      let piece = '';
      for (let length = 1; length <= this.#longest && start + length <= symbols.length; length++) {
        piece += symbols[start + length - 1] ?? '';
        const id = this.#ids.get(piece);
        if (id === undefined) continue;
        known = true;
        offer(best[start + length], before + (this.#vocabulary[id]?.[1] ?? 0), id, length);
      }
      if (!known) offer(best[start + 1], before, UNKNOWN_ID, 1);
    }
    const ids: number[] = [];
    for (let end = symbols.length; end > 0; end -= best[end]?.length ?? 1) {
      const id = best[end]?.id ?? UNKNOWN_ID;
      if (id !== UNKNOWN_ID || ids.at(-1) !== UNKNOWN_ID) ids.push(id);
    }
    return ids.reverse();
  }
}

function offer(
  end: { score: number; id: number; length: number } | undefined,
  score: number,
  id: number,
  length: number,
): void {
  if (end !== undefined && score >= end.score) Object.assign(end, { score, id, length });
}
