import { html, nothing, type TemplateResult } from 'lit';
import { shortened } from './command-view.js';
import { copyView } from './copy-view.js';
import { icon } from './icons.js';
import { editView } from './edit-view.js';
import { smallButton } from './small-button.js';
import { waitingView, type WaitingActions } from './waiting-view.js';
import type { ChatWords } from './words.js';

/** The versions of a request, oldest first, and which of them is shown. The id of the shown one is null, those of the others name branches. */
export interface Versions {
  ids: readonly (string | null)[];
  shown: number;
}

/** What the user can do with a request; null where nothing can be changed, such as while the agent works. */
export interface RequestActions {
  versions: Versions | undefined;
  /** The request is being changed. */
  isEdited: boolean;
  edit: (isEdited: boolean) => void;
  change: (text: string) => void;
  repeat: () => void;
  open: (branch: string) => void;
}

/** A request of the user, with its files and what can be done with it. */
export function requestView(
  text: string,
  words: ChatWords,
  actions: RequestActions | WaitingActions | null,
  attached: TemplateResult | typeof nothing,
): TemplateResult {
  const request = html`<div class="request" part="request" data-entry="request">
    <span class="who">${words.you}</span
    ><span class="request-text">${shortened(text, words)}</span>${attached}
  </div>`;
  if (actions === null) return request;
  if ('withdraw' in actions) return waitingView(text, request, words, actions);
  if (actions.isEdited) return editView(text, { words, hint: words.editHint, label: words.send }, actions);
  return html`<div class="asked">
    ${request}
    <div class="actions" part="actions" role="group" aria-label=${words.requestActions}>
      ${smallButton('edit', words.edit, icon('edit'), () => actions.edit(true))}
      ${smallButton('repeat', words.regenerate, icon('repeat'), actions.repeat)} ${copyView(text, words)}
      ${actions.versions === undefined ? nothing : versionsView(actions.versions, words, actions.open)}
    </div>
  </div>`;
}

function versionsView(
  { ids, shown }: Versions,
  words: ChatWords,
  open: (branch: string) => void,
): TemplateResult {
  const step = (part: string, label: string, sign: string, id: string | null | undefined) =>
    smallButton(part, label, sign, () => id != null && open(id), id == null);
  return html`${step('version-before', words.versionBefore, '‹', ids[shown - 1])}
    <span class="lines" part="version" aria-label=${words.version(shown + 1, ids.length)}
      >${shown + 1}/${ids.length}</span
    >
    ${step('version-after', words.versionAfter, '›', ids[shown + 1])}`;
}
