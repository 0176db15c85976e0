import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { tourIn } from '../state/session-names.js';
import { t } from '../text/index.js';
import { TOUR_NAMES, type TourName } from '../tour/index.js';
import { icon, type IconName } from './icons.js';

const ICONS: Record<TourName, IconName> = {
  'build-a-game': 'play',
  'find-and-fix': 'terminal',
  remember: 'memory',
  'survive-a-reload': 'clock',
  'work-as-a-team': 'people',
};

/** The recorded runs. */
export function toursView(app: App): TemplateResult {
  return html`<ul class="tours" aria-label=${t.chooseTour}>
    ${TOUR_NAMES.map(
      (name) =>
        html`<li>
          <button type="button" data-tour=${name} @click=${() => void app.control.startTour(name)}>
            ${icon(ICONS[name])}
            <span><strong>${t.tours[name].title}</strong><small>${t.tours[name].about}</small></span>
          </button>
        </li>`,
    )}
  </ul>`;
}

/** The note for the current step of a tour. */
export function tourNote(state: State, app: App): TemplateResult | typeof nothing {
  const tour = tourIn(state.session);
  if (tour === null || state.noteHidden) return nothing;
  const { notes } = t.tours[tour];
  const steps = state.conversation.entries.filter(({ kind }) => kind === 'step').length;
  const at = Math.min(Math.max(steps - 1, 0), notes.length - 1);
  return html`<aside class="note" aria-label=${t.tourWord}>
    <p>
      <small>${t.nextStep(at + 1, notes.length)}</small>
      <span aria-live="polite">${notes[at]}</span>
    </p>
    <button
      type="button"
      class="quiet small"
      title=${t.close}
      @click=${() => app.store.update({ noteHidden: true })}
    >
      ${icon('cross')}<span class="sr">${t.close}</span>
    </button>
  </aside>`;
}
