import { html, nothing, type TemplateResult } from 'lit';
import { shortText } from './command-view.js';
import { icon } from './icons.js';
import { copyView, smallButton } from './small-button.js';
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
    ><span class="request-text">${shortText(text, words)}</span>${attached}
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
function waitingView(
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

/** A request in a field. `hint` says what the change does, `label` names the button that makes it. */
function editView(
  text: string,
  { words, hint, label }: { words: ChatWords; hint: string; label: string },
  { edit, change }: { edit: (isEdited: boolean) => void; change: (text: string) => void },
): TemplateResult {
  const send = (form: HTMLElement | null | undefined): void => {
    const changed = form?.querySelector('textarea')?.value.trim() ?? '';
    if (changed !== '') change(changed);
  };
  return html`<form
    class="request edited"
    part="edited"
    @submit=${(event: Event) => {
      event.preventDefault();
      send(event.currentTarget as HTMLElement);
    }}
    @keydown=${(event: KeyboardEvent) => {
      const form = event.currentTarget as HTMLElement;
      if (event.key === 'Escape') edit(false);
      else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(form);
      else return;
      event.preventDefault();
    }}
  >
    <textarea name="changed" part="edited-field" rows="3" aria-label=${words.edit} .value=${text}></textarea>
    <p class="aside">${hint}</p>
    <div class="row">
      <button type="button" part="cancel" @click=${() => edit(false)}>${words.cancel}</button>
      <button type="submit" class="main" part="change">${label}</button>
    </div>
  </form>`;
}
