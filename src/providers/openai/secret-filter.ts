/**
 * Takes keys out of a text that arrives in pieces: a gateway may write what it was sent into the reply, which is then kept, shown and told
 * to other models. What may be the beginning of a key waits for the next piece.
 */
export class SecretFilter {
  #held = '';
  readonly #keys: readonly string[];

  /** Only what looks like a key counts: `ollama`, which local servers take for one, is a word that replies are full of. */
  constructor(secrets: Iterable<string>) {
    this.#keys = [...secrets].filter((secret) => /^(?=.*\d)\S{16,}$/.test(secret));
  }

  /** What of the text so far can be shown; without a piece, the rest. */
  read(piece?: string): string {
    if (this.#keys.length === 0) return piece ?? '';
    const text = this.#keys.reduce((all, key) => all.replaceAll(key, '[secret]'), this.#held + (piece ?? ''));
    const kept = piece === undefined ? 0 : Math.max(...this.#keys.map((key) => overlap(text, key)));
    this.#held = text.slice(text.length - kept);
    return text.slice(0, text.length - kept);
  }
}

/** Characters at the end of a text that a key begins with. */
function overlap(text: string, key: string): number {
  let length = Math.min(text.length, key.length - 1);
  while (length > 0 && !text.endsWith(key.slice(0, length))) length--;
  return length;
}
