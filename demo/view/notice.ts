import { html, nothing, type TemplateResult } from 'lit';
import type { State } from '../state/app-state.js';
import { readOnlyReason } from '../state/read-only.js';
import { t } from '../text/index.js';
import { icon } from './icons.js';

/** An error outside of a run: its cause in one sentence, advice, and folded what exactly happened. `actions`: buttons. */
export function noticeView(
  { code, text, advice: key = code }: { code: string; text: string; advice?: string },
  actions: TemplateResult | typeof nothing,
): TemplateResult {
  const words = t.advice[key] ?? '';
  const cause = t.causes[key];
  const details = html`<code>${code}</code>`;
  return html`<div class="notice error" data-entry="notice" role="alert">
    ${icon('warn')}
    <div>
      <p><strong>${cause ?? text}</strong></p>
      ${words === '' ? nothing : html`<p>${words}</p>`} ${actions}
      ${
        cause === undefined
          ? html`<p class="error-code">${details}</p>`
          : html`<details class="error-code">
              <summary>${t.errorDetails}</summary>
              <p>${text} ${details}</p>
            </details>`
      }
    </div>
  </div>`;
}

/** Takes the place of controls that would change a read-only session. */
export function readOnlyHint(state: State): TemplateResult | typeof nothing {
  const reason = readOnlyReason(state);
  return reason === null ? nothing : html`<p class="hint" data-read-only>${reason}</p>`;
}
