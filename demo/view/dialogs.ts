import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { modelDialog } from './models/model-dialog.js';
import { paletteView } from './palette.js';
import { settingsDialog } from './settings-dialog.js';
import { dialogTexts } from '../text/dialogs.js';
import { t } from '../text/index.js';

/** The title and content of the open dialog. All dialogs are loaded when the first one is opened. */
export function dialogView(state: State, app: App): TemplateResult | typeof nothing {
  switch (state.dialog) {
    case 'model':
      return titled(t.chooseModel, modelDialog(state, app));
    case 'settings':
      return titled(t.settings, settingsDialog(state, app));
    case 'palette':
      return titled(dialogTexts(state).palette, paletteView(state, app));
    case null:
      return nothing;
  }
}

/** The content scrolls below its title. */
function titled(title: string, content: TemplateResult): TemplateResult {
  return html`<h2 id="dialog-title">${title}</h2>
    <div class="inside">${content}</div>`;
}
