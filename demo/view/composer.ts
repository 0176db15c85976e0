import { html, nothing, type TemplateResult } from 'lit';
import type { State } from '../state/app-state.js';
import { isTour } from '../state/session-names.js';
import { icon } from './icons.js';

export interface ComposerActions {
  /** Resolves to false when the text could not be sent and should stay. */
  send: (text: string) => Promise<boolean>;
  stop: () => void;
  begin: () => void;
}

/** Where the person types, and the button that stops. */
export function composerView(state: State, actions: ComposerActions): TemplateResult {
  const running = state.runningSince !== null;
  if (isTour(state.session)) {
    return html`<div class="composer recorded">
      <p>A recording takes no other requests.</p>
      ${running ? stopButton(actions) : html`<button type="button" class="quiet framed" @click=${actions.begin}>Start a session of your own</button>`}
    </div>`;
  }
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const field = form.elements.namedItem('request') as HTMLTextAreaElement;
    const text = field.value.trim();
    if (text === '') return;
    field.value = '';
    if (!(await actions.send(text)) && field.value === '') field.value = text;
  };
  return html`<form
    class="composer"
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      void submit(event.currentTarget as HTMLFormElement);
    }}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      (event.currentTarget as HTMLFormElement).requestSubmit();
    }}
  >
    <textarea
      name="request"
      rows="2"
      aria-label="Your request"
      aria-keyshortcuts="Control+Enter Meta+Enter"
      placeholder=${running ? 'Add something while it works…' : 'What shall be built?'}
    ></textarea>
    <div class="buttons">
      <small>
        <kbd>Ctrl</kbd> <kbd>Enter</kbd> sends${running ? html`, <kbd>Esc</kbd> stops` : nothing}
        ${
          state.paused !== null || state.question !== null
            ? html`<span>A new request gives up the unfinished one.</span>`
            : nothing
        }
      </small>
      ${running ? stopButton(actions) : nothing}
      <button type="submit" class="send">${icon('send')} Send</button>
    </div>
  </form>`;
}

function stopButton({ stop }: ComposerActions): TemplateResult {
  return html`<button type="button" class="stop" aria-keyshortcuts="Escape" @click=${stop}>
    ${icon('stop')} Stop
  </button>`;
}
