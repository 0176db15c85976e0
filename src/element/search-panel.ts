import { nothing, type TemplateResult, html } from 'lit';
import type { Entry } from './conversation.js';
import type { ConversationView } from './followed-conversation.js';
import { icon } from './icons.js';
import { smallButton } from './small-button.js';
import type { ChatWords } from './words.js';

/** What the search needs of the element. */
export interface SearchHost {
  conversation: () => ConversationView;
  showOlder: () => Promise<void>;
  /** Resolves when the element has been rendered again. */
  rendered: () => Promise<unknown>;
  /** Moves the focus to the field of the search, or to that for requests. */
  focus: (field: 'search' | 'request') => void;
  /** Scrolls to the shown match. */
  reveal: () => void;
}

/** The search of the element, which is closed at first. */
export class SearchPanel {
  readonly #search = new Search();

  constructor(private readonly host: SearchHost) {}

  async open(): Promise<void> {
    this.#search.look(this.#search.words ?? '');
    await this.host.rendered();
    this.host.focus('search');
  }

  /** Returns the place of the shown match; undefined for none. */
  get place(): number | undefined {
    const matches = this.#matches();
    return matches[this.#search.shownOf(matches)];
  }

  view(words: ChatWords): TemplateResult | typeof nothing {
    const text = this.#search.words;
    if (text === null) return nothing;
    const matches = this.#matches();
    const show = (change: () => void): void => {
      change();
      void this.#show();
    };
    return searchView(
      { words, text, shown: this.#search.shownOf(matches), count: matches.length },
      {
        look: (wanted) => show(() => this.#search.look(wanted)),
        step: (by) => show(() => this.#search.step(by, matches.length)),
        close: () => {
          this.#search.look(null);
          void this.host.rendered();
          this.host.focus('request');
        },
      },
    );
  }

  #matches(): number[] {
    return this.#search.matches(this.host.conversation().entries);
  }

  /** Shows the entries before the match first, where it is not among those that are shown. */
  async #show(): Promise<void> {
    const { place } = this;
    const isHidden = (): boolean => {
      const { entries, shown } = this.host.conversation();
      return place !== undefined && place < entries.length - shown;
    };
    while (isHidden()) await this.host.showOlder();
    await this.host.rendered();
    if (place !== undefined) this.host.reveal();
  }
}

/** What the user does with the search. */
interface SearchActions {
  look: (words: string) => void;
  step: (by: 1 | -1) => void;
  close: () => void;
}

/** The field of the search: Enter shows the next older match, Shift+Enter a newer one, Escape closes it. */
function searchView(
  { words, shown, count, text }: { words: ChatWords; text: string; shown: number; count: number },
  { look, step, close }: SearchActions,
): TemplateResult {
  return html`<div class="search row" part="search" role="search">
    <input
      type="search"
      name="search"
      part="search-field"
      aria-label=${words.search}
      placeholder=${words.search}
      .value=${text}
      @input=${(event: Event) => look((event.currentTarget as HTMLInputElement).value)}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Escape') close();
        else if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
        else return;
        event.preventDefault();
      }}
    />
    <span class="lines" part="found" role="status"
      >${text.trim() === '' ? '' : words.found(shown + 1, count)}</span
    >
    ${smallButton('search-older', words.searchOlder, icon('up'), () => step(1))}
    ${smallButton('search-newer', words.searchNewer, icon('down'), () => step(-1))}
    ${smallButton('search-close', words.searchClose, icon('cross'), close)}
  </div>`;
}

/** A search in the conversation: its words, and the entry that is shown. */
class Search {
  /** Null while it is closed. */
  words: string | null = null;
  /** Place of the shown match among the matches. */
  #shown = 0;

  /** Returns the places of the entries with the words, newest first. */
  matches(entries: readonly Entry[]): number[] {
    const wanted = this.words?.trim().toLowerCase() ?? '';
    if (wanted === '') return [];
    return entries
      .flatMap((entry, index) => (searchableText(entry).toLowerCase().includes(wanted) ? [index] : []))
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
function searchableText(entry: Entry): string {
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
