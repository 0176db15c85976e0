import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { modelDialog } from './models/model-dialog.js';
import { paletteView } from './palette.js';
import { settingsDialog } from './settings-dialog.js';
import { shareDialog } from './share-dialog.js';
import { dialogTexts } from '../text/dialogs.js';
import { t } from '../text/index.js';

/** Maximum number of characters of a text that is about to be deleted. */
const MAX_NAME = 200;

/** The title and content of the open dialog. All dialogs are loaded when the first one is opened. */
export function dialogView(state: State, app: App): TemplateResult | typeof nothing {
  switch (state.dialog) {
    case 'model':
      return titled(t.chooseModel, modelDialog(state, app));
    case 'settings':
      return titled(t.settings, settingsDialog(state, app));
    case 'palette':
      return titled(dialogTexts(state).palette, paletteView(state, app));
    case 'share':
      return titled(dialogTexts(state).shareTitle, shareDialog(state, app));
    case null:
      return nothing;
  }
}

/** The question before something is deleted. The first button, which has the focus, changes nothing. */
export function confirmView(state: State): TemplateResult | typeof nothing {
  const { confirming } = state;
  if (confirming === null) return nothing;
  const { what, name, answer } = confirming;
  const d = dialogTexts(state);
  const { title, text, action } = d.deletions[what];
  return html`<h2 id="confirm-title">${title}</h2>
    <div class="inside" id="confirm-text">
      ${name === null ? nothing : html`<p class="named" dir="auto">${beginningOf(name)}</p>`}
      <p>${text}</p>
    </div>
    <div class="buttons">
      <button type="button" class="quiet framed" autofocus @click=${() => answer(false)}>${d.cancel}</button>
      <button type="button" class="danger" @click=${() => answer(true)}>${action}</button>
    </div>`;
}

function beginningOf(text: string): string {
  const characters = Array.from(text);
  return characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME - 1).join('')}…` : text;
}

/** The content scrolls below its title. */
function titled(title: string, content: TemplateResult): TemplateResult {
  return html`<h2 id="dialog-title">${title}</h2>
    <div class="inside">${content}</div>`;
}
