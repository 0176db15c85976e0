/**
 * Removes keys from a text that arrives in pieces. A gateway may echo the request into the reply, which is stored, shown, and sent to other
 * models. Holds back text that may be the start of a key.
 */
export class SecretFilter {
  #held = '';
  readonly #keys: readonly string[];

  /** Ignores secrets that do not look like a key: `ollama`, which local servers accept as a key, is a common word in replies. */
  constructor(secrets: Iterable<string>) {
    this.#keys = [...secrets].filter((secret) => /^(?=.*\d)\S{16,}$/.test(secret));
  }

  /** Returns the text that can be shown so far; without a piece, the rest. */
  read(piece?: string): string {
    if (this.#keys.length === 0) return piece ?? '';
    const text = this.#keys.reduce((all, key) => all.replaceAll(key, '[secret]'), this.#held + (piece ?? ''));
    const withheld = piece === undefined ? 0 : Math.max(...this.#keys.map((key) => overlap(text, key)));
    this.#held = text.slice(text.length - withheld);
    return text.slice(0, text.length - withheld);
  }
}

/** Returns the number of characters at the end of a text that could start a key. */
function overlap(text: string, key: string): number {
  let length = Math.min(text.length, key.length - 1);
  while (length > 0 && !text.endsWith(key.slice(0, length))) length--;
  return length;
}
