import { html, nothing, type TemplateResult } from 'lit';
import type { ConversationView } from './followed-conversation.js';
import { icon } from './icons.js';
import type { ChatWords } from './words.js';

/** A button that shows earlier entries, where there are any. */
export function olderView(
  { entries, shown, hasOlder, isReading }: ConversationView,
  words: ChatWords,
  show: () => Promise<void>,
): TemplateResult | typeof nothing {
  if (!hasOlder && entries.length <= shown) return nothing;
  return html`<div class="row older">
    <button
      type="button"
      class="quiet"
      part="older"
      data-older
      aria-busy=${isReading ? 'true' : 'false'}
      @click=${(event: Event) => void showFrom(event.currentTarget as HTMLElement, show)}
    >
      ${isReading ? html`<span class="spinner"></span>` : icon('clock')} ${words.showOlder}
    </button>
  </div>`;
}

/** Shows earlier entries. The button is gone with the last of them: the log then has its focus. */
async function showFrom(button: HTMLElement, show: () => Promise<void>): Promise<void> {
  const log = button.closest<HTMLElement>('.log');
  const hasFocus = button.matches(':focus');
  await show();
  if (hasFocus && !button.isConnected) log?.focus({ preventScroll: true });
}

/** Offers to continue interrupted work. */
export function interruptedView(words: ChatWords, resume: () => void): TemplateResult {
  return html`<div class="interrupted" part="interrupted">
    ${words.interrupted}
    <button type="button" class="main" part="resume" @click=${resume}>${words.resume}</button>
  </div>`;
}
