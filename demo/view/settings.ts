import { html, nothing, type TemplateResult } from 'lit';
import { SERVERS, serverAt } from '../state/servers.js';
import { isConnected, type Keys, type Settings } from '../state/settings.js';
import type { State } from '../state/app-state.js';
import { icon } from './icons.js';

export interface SettingsActions {
  connect: (settings: Settings, key: string, remember: boolean) => void;
  open: (open: boolean) => void;
}

/** Which model thinks: what is chosen in one line, or the form to choose. */
export function settingsView(state: State, keys: Keys, actions: SettingsActions): TemplateResult {
  const { settings, settingsOpen, keyIsMissing } = state;
  if (!settingsOpen && isConnected(settings)) {
    return html`<div class="chosen">
      <div>
        <strong>${settings.model}</strong>
        <small>${serverAt(settings.baseURL)?.label ?? new URL(settings.baseURL).host}</small>
      </div>
      <button type="button" class="quiet" @click=${() => actions.open(true)}>Change</button>
      ${
        keyIsMissing
          ? html`<p class="hint warning">
              The API key was in memory only and went with the page. Enter it again to go on.
            </p>`
          : nothing
      }
    </div>`;
  }
  return form(settings, keys, actions);
}

function form(settings: Settings, keys: Keys, actions: SettingsActions): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string => {
      const value = data.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    actions.connect(
      { baseURL: text('baseURL'), model: text('model'), contextWindow: Number(text('contextWindow')) },
      text('key'),
      data.get('remember') !== null,
    );
  };
  const choose = (event: Event): void => {
    const select = event.currentTarget as HTMLSelectElement;
    const server = SERVERS.find(({ id }) => id === select.value);
    const fields = select.form?.elements;
    if (fields === undefined) return;
    const field = (name: string): HTMLInputElement => fields.namedItem(name) as HTMLInputElement;
    const hint = select.form?.querySelector('[data-hint]');
    if (hint) hint.textContent = server?.hint ?? OWN_HINT;
    if (server === undefined) return;
    field('baseURL').value = server.baseURL;
    field('model').value = server.model;
    field('contextWindow').value = String(server.contextWindow);
    fillKey(select.form, keys);
  };
  const server = serverAt(settings.baseURL);
  return html`<form
    class="settings"
    aria-label="Model"
    data-origin=${URL.canParse(settings.baseURL) ? new URL(settings.baseURL).origin : ''}
    @submit=${submit}
  >
    <label>
      Server
      <select name="server" @change=${choose}>
        <option value="">Any compatible server</option>
        ${SERVERS.map(({ id, label }) => html`<option value=${id} ?selected=${id === server?.id}>${label}</option>`)}
      </select>
    </label>
    <p class="hint" data-hint>${server?.hint ?? OWN_HINT}</p>
    <label>
      Base URL
      <input
        name="baseURL"
        type="url"
        required
        placeholder="http://localhost:11434/v1"
        .value=${settings.baseURL}
        @change=${(event: Event) => fillKey((event.target as HTMLInputElement).form, keys)}
      />
    </label>
    <label>
      Model
      <input
        name="model"
        required
        autocomplete="off"
        spellcheck="false"
        placeholder="the name it has there"
        .value=${settings.model}
      />
    </label>
    <label>
      API key
      <input
        name="key"
        type="password"
        autocomplete="off"
        placeholder="none for most local servers"
        .value=${keys.get(settings.baseURL)}
      />
    </label>
    <label class="check">
      <input name="remember" type="checkbox" .checked=${keys.isRemembered(settings.baseURL)} />
      Remember the key on this device
    </label>
    <p class="hint">
      The key is sent to this server only. It is kept in memory and is gone after a reload; remembered, it
      lies in this browser’s storage as plain text, readable to anyone who uses this browser profile.
    </p>
    <label>
      Context window, tokens
      <input
        name="contextWindow"
        type="number"
        min="2048"
        max="10000000"
        required
        .value=${String(settings.contextWindow)}
      />
    </label>
    <div class="buttons">
      <button type="submit">Connect</button>
      ${
        isConnected(settings)
          ? html`<button type="button" class="quiet" @click=${() => actions.open(false)}>Cancel</button>`
          : nothing
      }
    </div>
  </form>`;
}

const OWN_HINT =
  'Any server that speaks the OpenAI protocol (/chat/completions) and lets this page read it (CORS).';

/** Another server, another key: one is never shown for, or sent to, the other. What was typed before any server stays. */
function fillKey(form: HTMLFormElement | null, keys: Keys): void {
  if (form === null) return;
  const field = (name: string): HTMLInputElement => form.elements.namedItem(name) as HTMLInputElement;
  const baseURL = field('baseURL').value;
  const before = form.dataset['origin'] ?? '';
  const origin = URL.canParse(baseURL) ? new URL(baseURL).origin : '';
  form.dataset['origin'] = origin;
  if (origin === before) return;
  if (before !== '' || keys.get(baseURL) !== '') field('key').value = keys.get(baseURL);
  if (keys.isRemembered(baseURL)) field('remember').checked = true;
}

/** What to do when a request is typed and no model is there. */
export function noModelView(open: () => void, tour: () => void): TemplateResult {
  return html`<div class="notice info" role="alert" data-entry="notice">
    ${icon('sliders')}
    <div>
      <p><strong>No model is connected yet.</strong> Your text stays here meanwhile. You can connect:</p>
      <ul>
        <li>one on this machine, without a key: Ollama, LM Studio, llama.cpp</li>
        <li>your own server: vLLM, or anything that speaks the OpenAI protocol</li>
        <li>a hosted one, with a key: OpenRouter, OpenAI</li>
      </ul>
      <div class="buttons">
        <button type="button" @click=${open}>Choose a model</button>
        <button type="button" class="quiet" @click=${tour}>Watch the tour instead</button>
      </div>
    </div>
  </div>`;
}
