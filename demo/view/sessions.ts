import { html, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { titleOf, tourIn } from '../state/session-names.js';
import { isConnected } from '../state/settings.js';
import { serverAt } from '../state/servers.js';
import { t } from '../text/index.js';
import { icon } from './icons.js';

/** The sessions stored in this browser, newest first, and their actions. */
export function sessionsView(state: State, app: App): TemplateResult {
  const { sessions, session } = state;
  const { control } = app;
  const remove = (name: string): void => {
    if (confirm(t.removeSure(nameOf(name)))) void control.remove(name);
  };
  return html`
    <div class="brand">
      <span class="logo" aria-hidden="true"></span>
      <h1>${t.product}</h1>
    </div>
    <button type="button" class="new" @click=${() => void control.begin()}>
      ${icon('plus')} ${t.newSession}
    </button>
    <h2 class="sr">${t.sessions}</h2>
    <ul class="sessions">
      ${sessions.map(
        ({ name, updatedAt }) =>
          html`<li>
            <button
              type="button"
              data-session=${name}
              title=${nameOf(name)}
              aria-current=${name === session ? 'true' : 'false'}
              @click=${() => {
                app.showPane('talk');
                void control.open(name);
              }}
            >
              <span>${tourIn(name) === null ? '' : icon('film')}<bdi class="name">${nameOf(name)}</bdi></span>
              <small>${when(updatedAt)}</small>
            </button>
            <button
              type="button"
              class="quiet remove"
              title=${t.removeSession(nameOf(name))}
              @click=${() => remove(name)}
            >
              ${icon('trash')}<span class="sr">${t.removeSession(nameOf(name))}</span>
            </button>
          </li>`,
      )}
    </ul>
    ${sessions.length === 0 ? html`<p class="hint">${t.noSessions}</p>` : ''}
    <div class="foot">
      ${modelButton(state, app)}
      <div class="row">
        <button type="button" class="quiet small" @click=${() => app.openSettings()}>
          ${icon('gear')} ${t.settings}
        </button>
        <label class="quiet small file" title=${t.importSession}>
          ${icon('upload')} ${t.import}
          <input
            type="file"
            accept=".json,application/json"
            aria-label=${t.importSession}
            @change=${(event: Event) => {
              const input = event.target as HTMLInputElement;
              const [file] = input.files ?? [];
              if (file !== undefined) void control.import(file);
              input.value = '';
            }}
          />
        </label>
      </div>
    </div>
  `;
}

/** The selected model, and a button to change it. */
function modelButton({ settings, keyIsMissing }: State, app: App): TemplateResult {
  const connected = isConnected(settings);
  const { baseURL } = settings;
  const where = {
    tab: t.inThisTab,
    browser: t.inTheBrowser,
    processor: t.onProcessor,
    server: serverAt(baseURL)?.label ?? (URL.canParse(baseURL) ? new URL(baseURL).host : ''),
  }[settings.where];
  const name = settings.where === 'browser' ? t.chromeModel : settings.model;
  return html`<button
    type="button"
    class="model ${connected ? 'connected' : ''}"
    @click=${() => app.openModels()}
  >
    <span class="light" aria-hidden="true"></span>
    <span class="text">
      <strong>${connected ? name : t.noModel}</strong>
      <small>${connected ? (keyIsMissing ? t.enterKey : where) : t.chooseModel}</small>
    </span>
  </button>`;
}

/** The displayed title of a session. */
export function nameOf(name: string): string {
  const tour = tourIn(name);
  return tour === null ? titleOf(name) : t.tours[tour].title;
}

/** A point in time as users write it. */
export function when(time: number): string {
  const date = new Date(time);
  const today = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(
    document.documentElement.lang,
    today ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  );
}
