import type { Entry } from './conversation.js';

/** A search in the conversation: its words, and the entry that is shown. */
export class Search {
  /** Null while it is closed. */
  words: string | null = null;
  /** Place of the shown match among the matches. */
  #shown = 0;

  /** Returns the places of the entries with the words, newest first. */
  matches(entries: readonly Entry[]): number[] {
    const wanted = this.words?.trim().toLowerCase() ?? '';
    if (wanted === '') return [];
    return entries
      .flatMap((entry, index) => (textOf(entry).toLowerCase().includes(wanted) ? [index] : []))
      .reverse();
  }

  /** Returns the place of the shown match among them; -1 for none. */
  shownOf(matches: readonly number[]): number {
    return matches.length === 0 ? -1 : this.#shown % matches.length;
  }

  look(words: string | null): void {
    this.words = words;
    this.#shown = 0;
  }

  /** Shows an older match, or a newer one. After the last one, the first follows. */
  step(by: 1 | -1, count: number): void {
    if (count > 0) this.#shown = (this.#shown + by + count) % count;
  }
}

/** Returns the text of an entry that a user may look for. */
function textOf(entry: Entry): string {
  switch (entry.kind) {
    case 'request':
      return [entry.text, ...(entry.files ?? [])].join('\n');
    case 'reply':
      return entry.text;
    case 'step':
      return [
        entry.thought,
        ...entry.commands.flatMap(({ args, output }) => [
          ...Object.values(args).filter((value) => typeof value === 'string'),
          output,
        ]),
      ].join('\n');
    default:
      return '';
  }
}
