import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import type { Preparing, State } from '../state/app-state.js';
import type { Way, Ways } from '../state/offers.js';
import { SERVERS, serverAt } from '../state/servers.js';
import { CPU_WINDOW, isConnected, noSettings, type Keys, type Settings } from '../state/settings.js';
import { t } from '../text/index.js';
import { aboutWay, downloadText, lackText, nameOfWay, reasonOf } from '../text/ways.js';
import { icon } from './icons.js';

/** Where the model comes from: what was found here, with the reasons, a file or a server of the user's choice. */
export function modelDialog(state: State, app: App): TemplateResult {
  const { ways, considered, settings } = state;
  return html`
    <h2 id="dialog-title">${t.model}</h2>
    ${considered === null ? nothing : consentView(considered, app)}
    <section>
      ${
        ways === null
          ? html`<p class="aside"><span class="spinner"></span> ${t.looking}</p>`
          : foundView(ways, app)
      }
    </section>
    <section>
      <h3>${t.setServer}</h3>
      ${form(settings, app)}
    </section>
    <section>
      <h3>${t.ownFile}</h3>
      ${fileForm(settings, app)}
    </section>
  `;
}

function foundView({ ways, lacks }: Ways, app: App): TemplateResult {
  return html`
    <h3>${t.found}</h3>
    <ul class="ways">
      ${ways.map((way) => wayView(way, app))}
    </ul>
    ${lacks.length === 0 ? nothing : lacksView(lacks, false)}
  `;
}

function lacksView(lacks: Ways['lacks'], open: boolean): TemplateResult {
  return html`<details class="reasons" ?open=${open}>
    <summary>${t.notFound}</summary>
    <ul>
      ${lacks.map((lack) => html`<li>${lackText(lack)}</li>`)}
    </ul>
  </details>`;
}

/** What can be connected with one click, or two where it has to be downloaded. */
function wayView(way: Way, app: App): TemplateResult {
  const name = nameOfWay(way);
  return html`<li data-way=${way.kind}>
    <span class="text"
      ><strong>${name}</strong><small>${aboutWay(way)}</small><small>${reasonOf(way)}</small>${
        way.download === null ? nothing : html`<small>${downloadText(way.download)}</small>`
      }</span
    >
    <button
      type="button"
      class="small"
      @click=${() => void app.control.guarded(() => app.models.choose(way))}
    >
      ${t.useIt}${way.download === null ? '' : '…'}<span class="sr"> ${name}</span>
    </button>
  </li>`;
}

/** Nothing is downloaded before this is agreed to: it names what, how much and from where. */
function consentView(way: Way, app: App): TemplateResult {
  return html`<section class="consent" role="group" aria-labelledby="consent-title">
    <h3 id="consent-title">${t.downloadAsked(nameOfWay(way))}</h3>
    ${way.download === null ? nothing : html`<p role="status">${downloadText(way.download)}</p>`}
    <p class="hint">${way.kind === 'chrome' ? '' : t.downloadWhen}</p>
    <div class="buttons">
      <button type="button" @click=${() => void app.control.guarded(() => app.models.use(way))}>
        ${t.downloadAndUse}
      </button>
      <button type="button" class="quiet" @click=${() => app.store.update({ considered: null })}>
        ${t.cancel}
      </button>
    </div>
  </section>`;
}

function fileForm(settings: Settings, app: App): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = (name: string): HTMLInputElement => form.elements.namedItem(name) as HTMLInputElement;
    void app.control.guarded(async () => {
      await app.models.chooseFile(field('file').value, field('fileWindow').valueAsNumber);
      form.closest('dialog')?.scrollTo({ top: 0 });
    });
  };
  const own = settings.where === 'processor' ? settings : null;
  return html`<form class="settings" aria-label=${t.ownFile} @submit=${submit}>
    <div class="pair">
      <label>
        ${t.fileAddress}
        <input
          name="file"
          type="url"
          required
          placeholder="https://…/model.gguf"
          .value=${own?.baseURL ?? ''}
        />
      </label>
      <label>
        ${t.fileWindow}
        <input
          name="fileWindow"
          type="number"
          min="2048"
          max="131072"
          required
          .value=${String(own?.contextWindow ?? CPU_WINDOW)}
        />
      </label>
    </div>
    <p class="hint">${t.fileHint}</p>
    <div class="buttons"><button type="submit" class="quiet">${t.askForFile}</button></div>
  </form>`;
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
    field('contextWindow').value = String(server.assumedWindow);
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

/** A request was typed and no model is connected: what was picked for this machine, which first has to be downloaded. */
export function noModelView({ ways, preparing }: State, app: App): TemplateResult | typeof nothing {
  if (preparing !== null) return nothing; // that is shown instead
  if (ways === null)
    return html`<p class="aside" role="status"><span class="spinner"></span> ${t.looking}</p>`;
  const [first] = ways.ways;
  return html`<div class="notice info" role="alert" data-entry="notice">
    ${icon('sliders')}
    <div>
      <p>
        <strong>${t.noModelYet}</strong>
        ${first === undefined ? t.noModelText : t.pickedFor(nameOfWay(first))}
      </p>
      ${
        first === undefined
          ? nothing
          : html`<p>${reasonOf(first)} ${first.download === null ? '' : downloadText(first.download)}</p>`
      }
      ${lacksView(ways.lacks, true)}
      <p>${t.noModelText}</p>
      <ul>
        ${t.noModelWays.map((each) => html`<li>${each}</li>`)}
      </ul>
      <div class="buttons">
        ${
          first === undefined
            ? nothing
            : html`<button
                type="button"
                @click=${() => void app.control.guarded(() => app.models.use(first))}
              >
                ${first.download === null ? t.useIt : t.downloadAndUse}
              </button>`
        }
        <button type="button" class="quiet" @click=${() => app.openModels()}>${t.chooseModel}</button>
        <button type="button" class="quiet" @click=${() => void app.control.startTour('build-a-game')}>
          ${t.tourInstead}
        </button>
      </div>
    </div>
  </div>`;
}

/** Which model works without having been chosen, and why that one. */
export function pickedView(way: Way, app: App): TemplateResult {
  return html`<div class="notice info" role="note" data-entry="picked">
    ${icon('sliders')}
    <div>
      <p><strong>${t.picked(nameOfWay(way))}</strong> ${reasonOf(way)}</p>
      <div class="buttons">
        <button type="button" class="quiet small" @click=${() => app.openModels()}>${t.otherModel}</button>
      </div>
    </div>
  </div>`;
}

/** Shows what has to end before a model can be connected. */
export function preparingView(preparing: Preparing): TemplateResult {
  if (preparing.kind === 'chrome')
    return loadingView(preparing.share, t.preparing(Math.floor(100 * preparing.share)));
  return html`<p class="aside" role="status">
    <span class="spinner"></span> ${t.readingWindow(preparing.server)}
  </p>`;
}

/** How far a model is that gets ready, in its own words. */
export function loadingView(share: number, text: string): TemplateResult {
  return html`<p class="aside loading" data-entry="loading">
    <span class="spinner"></span> <span>${text}</span>
    <progress max="1" .value=${share} aria-label=${text}></progress>
  </p>`;
}
