import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { tourIn } from '../state/session-names.js';
import { t } from '../text/index.js';
import { TOUR_NAMES, type TourName } from '../tour/names.js';
import { icon, iconButton, type IconName } from './icons.js';
import { singleClick } from './single-click.js';

const ICONS: Record<TourName, IconName> = {
  'build-a-game': 'play',
  'analyze-a-table': 'chart',
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
          <button
            type="button"
            data-tour=${name}
            @click=${singleClick(() => void app.control.startTour(name))}
          >
            ${icon(ICONS[name])}
            <span><strong>${t.tours[name].title}</strong><small>${t.tours[name].about}</small></span>
          </button>
        </li>`,
    )}
  </ul>`;
}

/** Speeds that the user can choose. */
const SPEEDS = [1, 2, 4];

/** The note for a step of a tour: the newest one, or the one that the user looks back at. */
export function tourNote(state: State, app: App): TemplateResult | typeof nothing {
  const tour = tourIn(state.session);
  if (tour === null || state.noteHidden) return nothing;
  const { notes } = t.tours[tour];
  const steps = state.conversation.entries.filter(({ kind }) => kind === 'step').length;
  const newest = Math.min(Math.max(steps - 1, 0), notes.length - 1);
  const at = Math.min(state.noteAt ?? newest, newest);
  const show = (note: number): void => app.store.update({ noteAt: note >= newest ? null : note });
  return html`<aside class="note" aria-label=${t.tourWord}>
    <p>
      <small>${t.stepOf(at + 1, notes.length)}</small>
      <span aria-live="polite">${notes[at]}</span>
    </p>
    <span class="player" role="group" aria-label=${t.player}>
      ${iconButton('back', t.noteBack, () => show(at - 1), { disabled: at === 0 })}
      ${
        state.runningSince === null
          ? iconButton('play', t.goOn, () => app.control.resume(), { disabled: state.paused === null })
          : iconButton('pause', t.pause, () => app.control.stop())
      }
      ${iconButton('forward', t.noteNext, () => (at < newest ? show(at + 1) : app.control.tour.next()), {
        disabled: at === newest && state.runningSince === null,
      })}
      <button
        type="button"
        class="quiet small"
        title=${t.tourSpeed}
        aria-label="${t.tourSpeed}: ${state.tourSpeed}×"
        @click=${singleClick(() => app.control.tour.setSpeed(faster(state.tourSpeed)))}
      >
        ${state.tourSpeed}×
      </button>
      ${iconButton('cross', t.close, () => app.store.update({ noteHidden: true }))}
    </span>
  </aside>`;
}

function faster(speed: number): number {
  return SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
}
