import { html, type TemplateResult } from 'lit';
import { icon } from './icons.js';
import { smallButton } from './small-button.js';
import type { ChatWords } from './words.js';

/** What the user does with the search. */
interface SearchActions {
  look: (words: string) => void;
  step: (by: 1 | -1) => void;
  close: () => void;
}

/** The field of the search: Enter shows the next older match, Shift+Enter a newer one, Escape closes it. */
export function searchView(
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
