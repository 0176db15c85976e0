import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import { isElsewhere, type State } from '../state/app-state.js';
import { tourIn } from '../state/session-names.js';
import { isConnected } from '../state/settings.js';
import { t } from '../text/index.js';
import { icon } from './icons.js';
import { metersView } from './status.js';

/** The request field and the stop button. */
export function composerView(state: State, app: App): TemplateResult | typeof nothing {
  const { control } = app;
  const running = state.runningSince !== null;
  if (isElsewhere(state)) return nothing;
  if (tourIn(state.session) !== null) {
    return html`<div class="composer recorded">
      <p>${t.recordedOnly}</p>
      ${
        running
          ? stopButton(app)
          : html`<button type="button" class="quiet framed" @click=${() => void control.begin()}>
              ${t.ownSession}
            </button>`
      }
    </div>`;
  }
  if (state.viewing) {
    return html`<div class="composer recorded" data-entry="viewing">
      <p>${t.viewing}</p>
      ${running ? stopButton(app) : nothing}
      <button type="button" class="quiet framed" @click=${() => void control.openBusy('takeOver')}>
        ${t.continueHere}
      </button>
    </div>`;
  }
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const field = form.elements.namedItem('request') as HTMLTextAreaElement;
    const text = field.value.trim();
    if (text === '') return;
    if (isConnected(app.store.state.settings)) field.value = ''; // Otherwise it stays until a model is chosen.
    const isSent = await control.send(text);
    const current = document.querySelector<HTMLTextAreaElement>('.composer textarea') ?? field; // A new session has its own.
    if (isSent && current.value.trim() === text) current.value = '';
    if (!isSent && current.value === '') current.value = text;
  };
  return html`<form
    class="composer"
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      void submit(event.currentTarget as HTMLFormElement);
    }}
    @keydown=${(event: KeyboardEvent) => {
      if (!sends(event)) return;
      event.preventDefault();
      (event.currentTarget as HTMLFormElement).requestSubmit();
    }}
  >
    <textarea
      name="request"
      rows="2"
      aria-label=${t.request}
      aria-keyshortcuts="Enter"
      placeholder=${running ? t.addHint : t.requestHint}
    ></textarea>
    <div class="buttons">
      ${
        state.session === null
          ? html`<label class="switch" title=${t.teamHint}>
              <input
                type="checkbox"
                .checked=${state.wantsTeam}
                @change=${(event: Event) =>
                  app.store.update({ wantsTeam: (event.target as HTMLInputElement).checked })}
              />
              ${icon('people')} ${t.teamOn}
            </label>`
          : nothing
      }
      <small>
        ${
          state.session === null
            ? html`<span class="keys"
                ><kbd>Enter</kbd> ${t.sends}, <kbd>Shift</kbd> <kbd>Enter</kbd> ${t.breaksLine}</span
              >`
            : state.paused !== null || state.question !== null
              ? html`<span class="gives-up">${t.givesUp}</span>`
              : metersView(state)
        }
      </small>
      ${running ? stopButton(app) : nothing}
      <button type="submit" class="send">${icon('send')} ${t.send}</button>
    </div>
  </form>`;
}

/** Enter sends, except on touch keyboards, which have no Shift key, and while an input method composes a word. */
function sends({ key, shiftKey, ctrlKey, metaKey, isComposing }: KeyboardEvent): boolean {
  if (key !== 'Enter' || shiftKey || isComposing) return false;
  return ctrlKey || metaKey || !matchMedia('(pointer: coarse)').matches;
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
export function examplesView(): TemplateResult {
  const send = (request: string): void => {
    const field = document.querySelector<HTMLTextAreaElement>('.composer textarea');
    if (field === null) return;
    field.value = request;
    field.form?.requestSubmit();
  };
  return html`<ul class="examples" aria-label=${t.examplesLabel}>
    ${t.examples.map(
      ([title, request]) =>
        html`<li>
          <button type="button" class="quiet framed" title=${request} @click=${() => send(request)}>
            ${title}
          </button>
        </li>`,
    )}
  </ul>`;
}
