import { html, nothing, type TemplateResult } from 'lit';
import type { Choice, Detection } from 'rolezero/providers/detect';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import type { Offer } from '../state/offers.js';
import { SERVERS, serverAt } from '../state/servers.js';
import { isConnected, noSettings, type Keys, type Settings } from '../state/settings.js';
import { t } from '../text/index.js';
import { icon } from './icons.js';

/** Where the model comes from: what was found here, with the reasons, and a server of the person's choice. */
export function modelDialog(state: State, app: App): TemplateResult {
  const { detection, settings, offers } = state;
  return html`
    <h2 id="dialog-title">${t.model}</h2>
    <section>
      ${
        detection === null
          ? html`<p class="aside"><span class="spinner"></span> ${t.looking}</p>`
          : foundView(detection, offers, settings, app)
      }
    </section>
    <section>
      <h3>${t.setServer}</h3>
      ${form(settings, app)}
    </section>
  `;
}

function foundView(
  { chosen, others, passedOver }: Detection,
  offers: readonly Offer[],
  settings: Settings,
  app: App,
): TemplateResult {
  const ways = [chosen, ...others].flatMap((choice) => wayOf(choice, offers, settings, app));
  return html`
    ${
      ways.length === 0
        ? nothing
        : html`<h3>${t.found}</h3>
            <ul class="ways">
              ${ways}
            </ul>`
    }
    ${
      passedOver.length === 0
        ? nothing
        : html`<details class="reasons" ?open=${ways.length === 0}>
            <summary>${t.notFound}</summary>
            <ul>
              ${passedOver.map((reason) => html`<li>${reason}</li>`)}
            </ul>
          </details>`
    }
  `;
}

/** What can be connected with one click. */
function wayOf(
  choice: Choice,
  offers: readonly Offer[],
  settings: Settings,
  app: App,
): TemplateResult | TemplateResult[] {
  const use = (change: Partial<Settings>) => () =>
    void app.control.connectModel({ ...noSettings, contextWindow: settings.contextWindow, ...change });
  switch (choice.kind) {
    case 'web-llm':
      return offers.map(({ id, memoryMB, contextWindow }) =>
        way(
          id,
          [
            t.inThisTab,
            ...(memoryMB === null ? [] : [t.needsMemory((memoryMB / 1_000).toFixed(1))]),
            t.needsDownload,
          ].join(', '),
          choice.reason,
          use({ where: 'tab', model: id, contextWindow }),
        ),
      );
    case 'server':
      return choice.server.models.slice(0, 6).map((model) =>
        way(
          model,
          choice.server.name,
          choice.reason,
          use({
            where: 'server',
            baseURL: choice.server.baseURL,
            model,
            contextWindow: serverAt(choice.server.baseURL)?.contextWindow ?? noSettings.contextWindow,
          }),
        ),
      );
    case 'remote':
      return way(choice.model, new URL(choice.baseURL).host, choice.reason, null);
    case 'chrome':
      return way(t.chromeModel, t.chromeNotYet, choice.reason, null);
    case 'wllama':
    case 'tour':
      return [];
  }
}

function way(name: string, about: string, reason: string, use: (() => void) | null): TemplateResult {
  return html`<li>
    <span class="text"><strong>${name}</strong><small>${about}</small><small>${reason}</small></span>
    ${use === null ? nothing : html`<button type="button" class="small" @click=${use}>${t.useIt}<span class="sr"> ${name}</span></button>`}
  </li>`;
}

function form(settings: Settings, app: App): TemplateResult {
  const { keys } = app;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string => {
      const value = data.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    void app.control.connectModel(
      {
        where: 'server',
        baseURL: text('baseURL'),
        model: text('model'),
        contextWindow: Number(text('contextWindow')),
      },
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
    if (hint) hint.textContent = server === undefined ? t.serverHint : t.serverHints[server.id];
    if (server === undefined) return;
    field('baseURL').value = server.baseURL;
    field('model').value = server.model;
    field('contextWindow').value = String(server.contextWindow);
    fillKey(select.form, keys);
  };
  const own = settings.where === 'server' ? settings : noSettings;
  const server = serverAt(own.baseURL);
  return html`<form
    class="settings"
    aria-label=${t.setServer}
    data-origin=${URL.canParse(own.baseURL) ? new URL(own.baseURL).origin : ''}
    @submit=${submit}
  >
    <label>
      ${t.server}
      <select name="server" @change=${choose}>
        <option value="">${t.anyServer}</option>
        ${SERVERS.map(({ id, label }) => html`<option value=${id} ?selected=${id === server?.id}>${label}</option>`)}
      </select>
    </label>
    <p class="hint" data-hint>${server === null ? t.serverHint : t.serverHints[server.id]}</p>
    <div class="pair">
      <label>
        ${t.baseURL}
        <input
          name="baseURL"
          type="url"
          required
          placeholder="http://localhost:11434/v1"
          .value=${own.baseURL}
          @change=${(event: Event) => fillKey((event.target as HTMLInputElement).form, keys)}
        />
      </label>
      <label>
        ${t.modelName}
        <input
          name="model"
          required
          autocomplete="off"
          spellcheck="false"
          placeholder=${t.modelHint}
          .value=${own.model}
        />
      </label>
      <label>
        ${t.apiKey}
        <input
          name="key"
          type="password"
          autocomplete="off"
          placeholder=${t.keyHint}
          .value=${keys.get(own.baseURL)}
        />
      </label>
      <label>
        ${t.contextWindow}
        <input
          name="contextWindow"
          type="number"
          min="2048"
          max="10000000"
          required
          .value=${String(own.contextWindow)}
        />
      </label>
    </div>
    <label class="check">
      <input name="remember" type="checkbox" .checked=${keys.isRemembered(own.baseURL)} />
      ${t.rememberKey}
    </label>
    <p class="hint">${t.keyNote}</p>
    <div class="buttons">
      <button type="submit">${t.connect}</button>
      ${
        isConnected(settings)
          ? html`<button
              type="button"
              class="quiet"
              @click=${() => void app.control.connectModel(noSettings)}
            >
              ${t.disconnect}
            </button>`
          : nothing
      }
    </div>
  </form>`;
}

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
export function noModelView(app: App): TemplateResult {
  return html`<div class="notice info" role="alert" data-entry="notice">
    ${icon('sliders')}
    <div>
      <p><strong>${t.noModelYet}</strong> ${t.noModelText}</p>
      <ul>
        ${t.noModelWays.map((each) => html`<li>${each}</li>`)}
      </ul>
      <div class="buttons">
        <button type="button" @click=${() => app.openModels()}>${t.chooseModel}</button>
        <button type="button" class="quiet" @click=${() => void app.control.startTour('build-a-game')}>
          ${t.tourInstead}
        </button>
      </div>
    </div>
  </div>`;
}
