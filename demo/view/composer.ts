import { html, nothing, type TemplateResult } from 'lit';
import { isolated } from 'rolezero/element';
import type { App } from '../app.js';
import type { Draft } from '../draft-control.js';
import { isElsewhere, type State } from '../state/app-state.js';
import { tourIn } from '../state/session-names.js';
import { readOnlyReason } from '../state/read-only.js';
import { chatWords } from '../text/chat-words.js';
import { t } from '../text/index.js';
import { icon, iconButton } from './icons.js';
import { singleClick } from './single-click.js';
import { metersView, windowView } from './status.js';
import { tourNote } from './tours.js';

/** Replaces the field for requests while the user may send none; nothing otherwise. */
export function noComposerView(state: State, app: App): TemplateResult | typeof nothing {
  const { control } = app;
  const stop = state.runningSince === null ? nothing : stopButton(app);
  if (isElsewhere(state)) return html`<div slot="composer"></div>`;
  if (tourIn(state.session) !== null)
    return html`<div slot="composer">
      ${tourNote(state, app)}
      <div class="composer recorded">
        <p>${t.recordedOnly}</p>
        ${
          stop === nothing
            ? html`<button type="button" class="quiet framed" @click=${() => void control.begin()}>
                ${t.ownModel}
              </button>`
            : stop
        }
      </div>
    </div>`;
  if (!state.viewing) return nothing;
  return html`<div slot="composer">
    <div class="composer recorded" data-entry="viewing">
      <p>${readOnlyReason(state)}</p>
      ${stop}
      ${
        state.lacksSpace
          ? nothing
          : html`<button type="button" class="quiet framed" @click=${() => void control.openBusy('takeOver')}>
              ${t.continueHere}
            </button>`
      }
    </div>
  </div>`;
}

/** The field for the first request of a session: the one of a conversation that is not open yet. */
export function firstRequestView(state: State, app: App): TemplateResult {
  return html`<rolezero-chat
    class="first-request"
    .words=${chatWords(t)}
    @rolezero-send=${(event: CustomEvent<Draft>) => sendIt(event, app)}
  >
    <div slot="composer-end" class="beside-field">
      <label class="switch" title=${t.teamHint}>
        <input
          type="checkbox"
          .checked=${state.wantsTeam}
          @change=${(event: Event) =>
            app.store.update({ wantsTeam: (event.target as HTMLInputElement).checked })}
        />
        ${icon('people')} ${t.teamOn}
      </label>
      <small class="keys">
        <kbd>Enter</kbd> ${t.sends}, <kbd>Shift</kbd> <kbd>Enter</kbd> ${t.breaksLine}
      </small>
      ${windowView(state, app)}
    </div>
  </rolezero-chat>`;
}

/** Sends a request as this page does it. */
export function sendIt(event: CustomEvent<Draft>, app: App): void {
  event.preventDefault();
  void app.send(event.detail);
}

/** What a request means now, or what the session has used. An open question takes it for its answer. */
export function besideFieldView(state: State, app: App): TemplateResult {
  const { paused, question } = state;
  const givesUp = paused !== null || question?.kind === 'approval';
  return html`<small slot="composer-end" class="beside-field">
    ${pointedView(state, app)}
    ${givesUp ? html`<span class="gives-up">${t.givesUp}</span>` : html`${windowView(state, app)} ${metersView(state)}`}
  </small>`;
}

/** The element that the next request is about. */
function pointedView({ pointed }: State, app: App): TemplateResult | typeof nothing {
  if (pointed === null) return nothing;
  const { name, place } = pointed;
  return html`<span class="pointed" title=${pointed.selector}>
    ${icon('target')} <code>${isolated(name)}</code>
    ${place === null ? nothing : html`<span>${isolated(`${place.path}:${place.line}`)}</span>`}
    ${iconButton('cross', t.forgetElement, () => app.store.update({ pointed: null }))}
  </span>`;
}

function stopButton({ control }: App): TemplateResult {
  return html`<button
    type="button"
    class="stop"
    title="Esc"
    aria-keyshortcuts="Escape"
    @click=${() => control.stop()}
  >
    ${icon('stop')} ${t.stop}
  </button>`;
}

/** Requests to begin with: a click sends one. */
export function examplesView(app: App): TemplateResult {
  return html`<ul class="examples" aria-label=${t.examplesLabel}>
    ${t.examples.map(
      ([title, request]) =>
        html`<li>
          <button
            type="button"
            class="quiet framed"
            title=${request}
            @click=${singleClick(() => void app.send({ text: request, files: [] }))}
          >
            ${title}
          </button>
        </li>`,
    )}
  </ul>`;
}
