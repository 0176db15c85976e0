import { nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { modelDialog } from './models/model-dialog.js';
import { paletteView } from './palette.js';
import { settingsDialog } from './settings-dialog.js';

/** The content of the open dialog. All dialogs are loaded when the first one is opened. */
export function dialogView(state: State, app: App): TemplateResult | typeof nothing {
  switch (state.dialog) {
    case 'model':
      return modelDialog(state, app);
    case 'settings':
      return settingsDialog(state, app);
    case 'palette':
      return paletteView(state, app);
    case null:
      return nothing;
  }
}
