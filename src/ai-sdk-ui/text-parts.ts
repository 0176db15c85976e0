import type { SessionChunk } from './ui-message.js';

type Kind = 'text' | 'reasoning';

/** The part that is being written. */
interface OpenPart {
  kind: Kind;
  id: string;
  role: string;
}

/** The text and reasoning parts of one response, one at a time. */
export class TextParts {
  #open: OpenPart | null = null;
  #count = 0;
  #last = '';
  #hasText = false;

  /** The words of the last part. */
  get last(): string {
    return this.#last;
  }
  /** The response has a text part. */
  get hasText(): boolean {
    return this.#hasText;
  }

  isOpen(role: string): boolean {
    return this.#open?.role === role;
  }

  /** Adds words; begins a part when the open one is of another kind or role. */
  delta(kind: Kind, role: string, words: string): SessionChunk[] {
    if (words === '') return [];
    const chunks: SessionChunk[] = [];
    if (this.#open?.kind !== kind || this.#open.role !== role) {
      chunks.push(...this.close());
      this.#open = { kind, role, id: `${kind}-${++this.#count}` };
      this.#last = '';
      this.#hasText ||= kind === 'text';
      const { id } = this.#open;
      chunks.push({ type: `${kind}-start`, id, providerMetadata: { rolezero: { role } } });
    }
    this.#last += words;
    return [...chunks, { type: `${kind}-delta`, id: this.#open.id, delta: words }];
  }

  /** Adds a whole text, unless its words have just been written. */
  whole(role: string, text: string): SessionChunk[] {
    if (this.#hasText && this.#last.trim() === text.trim()) return this.close();
    return [...this.close(), ...this.delta('text', role, text), ...this.close()];
  }

  /** Ends the open part, if there is one of that role. */
  close(role = this.#open?.role): SessionChunk[] {
    const open = this.#open;
    if (open === null || open.role !== role) return [];
    this.#open = null;
    return [{ type: `${open.kind}-end`, id: open.id }];
  }
}
