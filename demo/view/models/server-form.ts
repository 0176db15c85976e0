import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../../app.js';
import type { State } from '../../state/app-state.js';
import { isPlaceholderKey, type Checked } from '../../state/connection-check.js';
import { ASSUMED_WINDOW, HOSTED, serverAt, withScheme, SERVERS } from '../../state/servers.js';
import type { Keys, Settings } from '../../state/settings.js';
import { dialogTexts, type DialogTexts } from '../../text/dialogs.js';
import { icon } from '../icons.js';

/** A hosted service with a key, or a server on this machine or network. */
type FormKind = 'hosted' | 'local';

interface Fields {
  settings: Settings;
  key: string;
  remember: boolean;
}

/** The form for a server: choose it, test it, connect it. */
export function serverForm(state: State, app: App, kind: FormKind): TemplateResult {
  const d = dialogTexts(state);
  const { settings, check } = state;
  const own = settings.where === 'server' && settings.model !== '' ? settings : null;
  const models = check !== null && check !== 'running' && check.kind === 'ok' ? check.models : [];
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const isTest = event.submitter?.getAttribute('value') === 'test';
    void app.control.guarded(() => connectFrom(form, app, d, isTest ? 'test' : 'connect'));
  };
  const first = kind === 'hosted' ? HOSTED[0] : undefined;
  const baseURL = own?.baseURL ?? first?.baseURL ?? '';
  const isListed = HOSTED.some((server) => server.baseURL === baseURL);
  return html`<form
    class="settings server-form"
    aria-label=${kind === 'hosted' ? d.cards.key.title : d.otherAddress}
    data-kind=${kind}
    data-origin=${originOf(baseURL)}
    @submit=${submit}
    @input=${(event: Event) => {
      if ((event.target as HTMLInputElement).name !== 'model') app.models.forgetCheck();
    }}
  >
    ${kind === 'hosted' ? hostSelect(baseURL, app, d) : nothing}
    <label class="address-field" ?hidden=${kind === 'hosted' && isListed}>
      ${d.baseURL}
      <input
        name="baseURL"
        type="url"
        required
        placeholder="http://localhost:11434/v1"
        .value=${baseURL}
        @change=${(event: Event) => {
          const field = event.target as HTMLInputElement;
          field.value = withScheme(field.value);
          fillKey(field.form, app.keys);
        }}
      />
    </label>
    <label>
      ${d.apiKey}
      <input
        name="key"
        type="password"
        autocomplete="off"
        placeholder=${kind === 'hosted' ? d.keyPlaceholder : d.keyHint}
        .value=${app.keys.get(baseURL)}
        @input=${(event: Event) => (event.target as HTMLInputElement).setCustomValidity('')}
      />
    </label>
    <label class="check">
      <input name="remember" type="checkbox" .checked=${app.keys.isRemembered(baseURL)} />
      ${d.rememberKey}
    </label>
    <p class="hint">${d.keyNote}</p>
    <label>
      ${d.modelName}
      ${
        models.length > 0
          ? html`<select name="model">
              ${models.map(
                (name) =>
                  html`<option value=${name} ?selected=${name === preferred(models, own, baseURL)}>
                    ${name}
                  </option>`,
              )}
            </select>`
          : html`<input
              name="model"
              autocomplete="off"
              spellcheck="false"
              placeholder=${d.modelHint}
              @input=${(event: Event) => (event.target as HTMLInputElement).setCustomValidity('')}
              .value=${own?.model ?? ''}
            />`
      }
    </label>
    <details class="advanced">
      <summary>${d.advanced}</summary>
      <label>
        ${d.contextWindow}
        <input
          name="contextWindow"
          type="number"
          min="2048"
          max="10000000"
          required
          value=${own?.contextWindow ?? first?.assumedWindow ?? ASSUMED_WINDOW}
        />
      </label>
      <label>
        ${d.images}
        <select name="images">
          ${(['', 'yes', 'no'] as const).map(
            (value) =>
              html`<option value=${value} ?selected=${value === imagesValue(own)}>
                ${d.imagesOptions[value]}
              </option>`,
          )}
        </select>
      </label>
      <p class="hint">${d.imagesNote}</p>
    </details>
    ${checkView(check, d, app)}
    <div class="buttons">
      <button type="submit" value="connect" ?disabled=${check === 'running'}>${d.connect}</button>
      <button type="submit" value="test" class="quiet framed" ?disabled=${check === 'running'}>
        ${d.test}
      </button>
    </div>
  </form>`;
}

function hostSelect(baseURL: string, app: App, d: DialogTexts): TemplateResult {
  const choose = (event: Event): void => {
    const select = event.currentTarget as HTMLSelectElement;
    const { form } = select;
    const server = SERVERS.find(({ id }) => id === select.value);
    const address = form?.querySelector<HTMLElement>('.address-field');
    if (form === null || address == null) return;
    address.hidden = server !== undefined;
    fieldOf(form, 'baseURL').value = server?.baseURL ?? '';
    fieldOf(form, 'model').value = '';
    const assumed = fieldOf(form, 'contextWindow');
    assumed.defaultValue = assumed.value = String(server?.assumedWindow ?? ASSUMED_WINDOW);
    showKeyPage(form);
    fillKey(form, app.keys);
    app.models.forgetCheck();
  };
  const keyPage = serverAt(baseURL)?.keyPage;
  return html`<label>
      ${d.service}
      <select name="server" @change=${choose}>
        ${HOSTED.map((server) => html`<option value=${server.id} ?selected=${server.baseURL === baseURL}>${server.label}</option>`)}
        <option value="" ?selected=${serverAt(baseURL)?.keyPage === undefined}>${d.anyService}</option>
      </select>
    </label>
    <p class="hint">
      ${d.serviceNote}
      <a
        class="key-page"
        href=${keyPage ?? ''}
        ?hidden=${keyPage === undefined}
        target="_blank"
        rel="noreferrer"
        >${d.createKey}</a
      >
    </p>`;
}

function showKeyPage(form: HTMLFormElement): void {
  const link = form.querySelector<HTMLAnchorElement>('.key-page');
  const keyPage = serverAt(fieldOf(form, 'baseURL').value)?.keyPage;
  if (link === null) return;
  link.hidden = keyPage === undefined;
  if (keyPage !== undefined) link.href = keyPage;
}

/** Tests the server of the form, and connects it if the test succeeds. `without`: connects it without a test. */
async function connectFrom(
  form: HTMLFormElement,
  app: App,
  d: DialogTexts,
  action: 'test' | 'connect' | 'without',
  model = fieldsOf(form).settings.model,
): Promise<void> {
  const fields = fieldsOf(form);
  const { key, remember } = fields;
  const settings = { ...fields.settings, model };
  const problem = problemOf({ ...fields, settings }, action, d);
  if (problem !== null) {
    const field = fieldOf(form, problem.field);
    field.setCustomValidity(problem.message);
    field.reportValidity();
    return;
  }
  if (action === 'without') return app.models.useServer(settings, key, remember);
  const found = await app.models.check({ baseURL: settings.baseURL, apiKey: key });
  if (found.kind !== 'ok' || action === 'test') return;
  const chosen = found.models.includes(model) ? model : choose(found, settings);
  if (chosen === null) {
    if (model !== '') app.models.notListed(found, model);
    return; // The list shows the names.
  }
  const withModel = { ...settings, model: chosen, isTested: true };
  const isLocal = /^(localhost|127\.|\[::1\])/.test(new URL(settings.baseURL).hostname);
  const { value, defaultValue } = fieldOf(form, 'contextWindow');
  // The user's own value counts more than that of the server.
  const isOwn = value !== defaultValue;
  const contextWindow = (isOwn ? undefined : found.windows?.[chosen]) ?? withModel.contextWindow;
  await app.models.useServer({ ...withModel, contextWindow }, key, remember, isLocal && !isOwn);
}

/** The model to connect when the user has named none: the usual one of the service, otherwise the only one. */
function choose({ models }: Extract<Checked, { kind: 'ok' }>, { model, baseURL }: Settings): string | null {
  if (model !== '') return models.length === 0 ? model : null; // The server does not list this name.
  const usual = serverAt(baseURL)?.model;
  if (usual !== undefined && models.includes(usual)) return usual;
  return models.length === 1 ? (models[0] ?? null) : null;
}

function preferred(models: readonly string[], own: Settings | null, baseURL: string): string | undefined {
  const wanted = [own?.model, serverAt(baseURL)?.model];
  return wanted.find((name) => name !== undefined && models.includes(name)) ?? models[0];
}

/** What the user has to correct before the server is asked; null when nothing. */
function problemOf(
  { settings, key }: Fields,
  action: 'test' | 'connect' | 'without',
  d: DialogTexts,
): { field: 'key' | 'model'; message: string } | null {
  if (isPlaceholderKey(key)) return { field: 'key', message: d.placeholderKey };
  if (key === '' && serverAt(settings.baseURL)?.keyPage !== undefined)
    return { field: 'key', message: d.keyNeeded };
  if (action === 'without' && settings.model === '') return { field: 'model', message: d.modelNeeded };
  return null;
}

/** The result of a test, with what to do. */
function checkView(check: State['check'], d: DialogTexts, app: App): TemplateResult | typeof nothing {
  if (check === null) return nothing;
  if (check === 'running')
    return html`<p class="aside" role="status"><span class="spinner"></span> ${d.checking}</p>`;
  if (check.kind === 'ok' && check.unlisted !== undefined) return unlistedView(check.unlisted, d, app);
  if (check.kind === 'ok')
    return html`<p class="check-result good" role="status" data-check="ok">
      ${icon('check')} ${d.checkOk(check.models.length)}
    </p>`;
  const better = check.kind === 'path' ? check.better : null;
  return html`<div class="check-result bad" role="alert" data-check=${check.kind}>
    <p>${icon('warn')} ${faultText(check, d)}</p>
    <div class="buttons">
      ${
        better === null
          ? nothing
          : html`<button
              type="button"
              class="small"
              @click=${(event: Event) => {
                const { form } = event.currentTarget as HTMLButtonElement;
                if (form === null) return;
                fieldOf(form, 'baseURL').value = better;
                void app.control.guarded(() => connectFrom(form, app, d, 'test'));
              }}
            >
              ${d.useAddress(better)}
            </button>`
      }
      ${
        check.kind === 'key' || check.kind === 'silent' || check.kind === 'blocked'
          ? nothing
          : html`<button
              type="button"
              class="quiet framed small"
              @click=${(event: Event) => {
                const { form } = event.currentTarget as HTMLButtonElement;
                if (form !== null) void app.control.guarded(() => connectFrom(form, app, d, 'without'));
              }}
            >
              ${d.connectAnyway}
            </button>`
      }
    </div>
  </div>`;
}

/** The user has named a model that the server does not list: the list above has its names. */
function unlistedView(model: string, d: DialogTexts, app: App): TemplateResult {
  return html`<div class="check-result bad" role="alert" data-check="unlisted">
    <p>${icon('warn')} ${d.unlisted(model)}</p>
    <div class="buttons">
      <button
        type="button"
        class="quiet framed small"
        @click=${(event: Event) => {
          const { form } = event.currentTarget as HTMLButtonElement;
          if (form !== null) void app.control.guarded(() => connectFrom(form, app, d, 'without', model));
        }}
      >
        ${d.useUnlisted(model)}
      </button>
    </div>
  </div>`;
}

function faultText(check: Exclude<Checked, { kind: 'ok' }>, d: DialogTexts): string {
  switch (check.kind) {
    case 'key':
      return d.faults.key(check.status);
    case 'path':
      return check.better === null ? d.faults.path : d.faults.pathBetter;
    case 'refused':
      return d.faults.refused(check.status);
    case 'cors':
      return d.faults.cors(location.origin);
    case 'silent':
      return d.faults.silent;
    case 'blocked':
      return d.faults.blocked;
  }
}

function imagesValue(own: Settings | null): 'yes' | 'no' | '' {
  if (own?.images === undefined) return '';
  return own.images ? 'yes' : 'no';
}

function fieldsOf(form: HTMLFormElement): Fields {
  const data = new FormData(form);
  const text = (name: string): string => {
    const value = data.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  return {
    settings: {
      where: 'server',
      baseURL: text('baseURL'),
      model: text('model'),
      contextWindow: Number(text('contextWindow')),
      ...(text('images') === '' ? {} : { images: text('images') === 'yes' }),
    },
    key: text('key'),
    remember: data.get('remember') !== null,
  };
}

function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

function originOf(baseURL: string): string {
  return URL.canParse(baseURL) ? new URL(baseURL).origin : '';
}

/**
 * Another server has another key: a key is never shown for, or sent to, another one. A key typed before any server
 * was chosen stays.
 */
function fillKey(form: HTMLFormElement | null, keys: Keys): void {
  if (form === null) return;
  const baseURL = fieldOf(form, 'baseURL').value;
  const before = form.dataset['origin'] ?? '';
  const origin = originOf(baseURL);
  form.dataset['origin'] = origin;
  if (origin === before) return;
  if (before !== '' || keys.get(baseURL) !== '') fieldOf(form, 'key').value = keys.get(baseURL);
  if (keys.isRemembered(baseURL)) fieldOf(form, 'remember').checked = true;
}
