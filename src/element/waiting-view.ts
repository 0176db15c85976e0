import { html, type TemplateResult } from 'lit';
import { icon } from './icons.js';
import { editView } from './edit-view.js';
import { smallButton } from './small-button.js';
import type { ChatWords } from './words.js';

/** What the user can do with a request that waits during a run. */
export interface WaitingActions {
  /** It is being changed. */
  isEdited: boolean;
  /** A role has read it since then: the changed words are another request. */
  isRead: boolean;
  isRunning: boolean;
  edit: (isEdited: boolean) => void;
  change: (text: string) => void;
  withdraw: () => void;
}

/** A request that no role has read yet. */
export function waitingView(
  text: string,
  request: TemplateResult,
  words: ChatWords,
  { isEdited, isRead, isRunning, edit, change, withdraw }: WaitingActions,
): TemplateResult {
  if (isEdited) {
    const [hint, label] = isRead ? [words.readMeanwhile, words.send] : [words.waiting(isRunning), words.save];
    return editView(text, { words, hint, label }, { edit, change });
  }
  return html`<div class="asked waiting">
    ${request}
    <div class="actions" part="actions" role="group" aria-label=${words.requestActions}>
      <span class="aside" part="queued">${words.waiting(isRunning)}</span>
      ${smallButton('edit', words.edit, icon('edit'), () => edit(true))}
      ${smallButton('withdraw', words.withdraw, icon('cross'), withdraw)}
    </div>
  </div>`;
}
