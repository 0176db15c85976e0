import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import { t } from '../text/index.js';

const MODEL = [
  'model-request',
  'model-key',
  'model-path',
  'model-unreachable',
  'model-timeout',
  'model-load',
  'context-overflow',
  'content-filter',
  'another-model',
];
const RELOAD = ['worker-start', 'worker-lost', 'storage-blocked', 'storage-version', 'internal'];

/** A button that does what the advice for an error says, by its key; nothing for other errors. */
export function adviceView(code: string, app: App): TemplateResult | typeof nothing {
  const button = (text: string, run: () => void): TemplateResult =>
    html`<button type="button" class="quiet framed" @click=${run}>${text}</button>`;
  if (MODEL.includes(code)) return button(t.openSettings, () => app.openModels());
  if (RELOAD.includes(code)) return button(t.reloadPage, () => location.reload());
  if (code === 'storage-full') return button(t.manageSessions, () => app.showPane('setup'));
  return nothing;
}
