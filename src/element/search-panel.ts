import { nothing, type TemplateResult } from 'lit';
import type { ConversationView } from './followed-conversation.js';
import { Search } from './search.js';
import { searchView } from './search-view.js';
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
