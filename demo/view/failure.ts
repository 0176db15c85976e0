import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import { isElsewhere, type State } from '../state/app-state.js';
import { t } from '../text/index.js';
import { adviceView } from './advice.js';
import { icon } from './icons.js';
import { noticeView } from './notice.js';

/** An error outside of a run, or that another tab has the session. */
export function failureView({ failure, session, opening }: State, app: App): TemplateResult | typeof nothing {
  const { control } = app;
  if (failure === null) return nothing;
  if (!isElsewhere({ failure }) || session === null)
    return noticeView(
      { code: failure.code, text: failure.message },
      html`<p class="buttons">${adviceView(failure.code, app)}</p>`,
    );
  return html`<div class="notice info" role="alert" data-entry="busy">
    ${icon('warn')}
    <div>
      <p><strong>${t.busy}</strong></p>
      <p>${t.busyText}</p>
      <p class="choices">
        <button type="button" ?disabled=${opening} @click=${() => void control.openBusy('takeOver')}>
          ${t.continueHere}
        </button>
        <button
          type="button"
          class="quiet framed"
          ?disabled=${opening}
          @click=${() => void control.openBusy('view')}
        >
          ${t.showReadOnly}
        </button>
      </p>
    </div>
  </div>`;
}
