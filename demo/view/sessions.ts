import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { SessionInfo } from 'rolezero';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { friendlyName } from '../state/model-facts.js';
import { nameOf, tourIn } from '../state/session-names.js';
import { MAX_TITLE } from '../state/session-labels.js';
import { isConnected } from '../state/settings.js';
import { serverAt } from '../state/servers.js';
import { search } from '../state/word-search.js';
import { locale, t } from '../text/index.js';
import { icon } from './icons.js';
import { downloadText } from './status.js';

/** The sessions stored in this browser, newest first, and their actions. */
export function sessionsView(state: State, app: App): TemplateResult {
  const { sessions, sessionQuery, labels } = state;
  const { control } = app;
  const found = search(
    sessions,
    sessionQuery,
    ({ name }) => `${nameOf(name, labels)} ${labels[name]?.first ?? name}`,
  );
  return html`
    <div class="brand">
      <span class="logo" aria-hidden="true"></span>
      <h1>${t.product}</h1>
      <button
        type="button"
        class="quiet small palette-key"
        title=${t.paletteTitle}
        aria-keyshortcuts="Control+K Meta+K"
        @click=${() => app.openPalette()}
      >
        ${icon('search')}<span class="sr">${t.paletteTitle}</span> <kbd aria-hidden="true">${shortcut()}</kbd>
      </button>
    </div>
    <button type="button" class="new" @click=${() => void control.begin()}>
      ${icon('plus')} ${t.newSession}
    </button>
    <h2 class="sr">${t.sessions}</h2>
    ${
      sessions.length < 2
        ? nothing
        : html`<input
            type="search"
            class="search-sessions"
            aria-label=${t.searchSessions}
            placeholder=${t.searchSessions}
            .value=${sessionQuery}
            @input=${(event: Event) => app.store.update({ sessionQuery: (event.target as HTMLInputElement).value })}
          />`
    }
    ${listView(found, state, app)}
    ${sessions.length === 0 ? html`<p class="hint">${t.noSessions}</p>` : nothing}
    ${sessions.length > 0 && found.length === 0 ? html`<p class="hint" role="status">${t.noSessionFound}</p>` : nothing}
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
            accept=".json,.zip,application/json,application/zip"
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

/** The rows are rendered again only when they change: there may be hundreds, and a run renders the page with every frame. */
function listView(found: readonly SessionInfo[], state: State, app: App): TemplateResult {
  const { sessions, sessionQuery, labels, session, renaming } = state;
  const day = new Date().toDateString();
  return html`<ul class="sessions" @keydown=${moveInList}>
    ${guard([sessions, sessionQuery, labels, session, renaming, t, day], () =>
      repeat(
        found,
        ({ name }) => name, // A row never changes to another session under the pointer.
        ({ name, updatedAt }, index) => {
          const before = found[index - 1];
          const heading = dayOf(updatedAt);
          const isFirst = before === undefined || dayOf(before.updatedAt) !== heading;
          return html`${isFirst && sessionQuery === '' ? html`<li class="day">${heading}</li>` : nothing}
          ${sessionView(name, updatedAt, state, app)}`;
        },
      ),
    )}
  </ul>`;
}

/** Arrow keys, Home and End move between the rows of the list. The Tab key reaches every button in it. */
function moveInList(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement;
  const row = (event.target as Element).closest('li');
  if (row === null || event.target instanceof HTMLInputElement) return;
  const rows = [...list.children].filter((each) => !each.matches('.day'));
  const at = rows.indexOf(row);
  const reached: Readonly<Record<string, Element | undefined>> = {
    ArrowDown: rows[at + 1],
    ArrowUp: rows[at - 1],
    Home: rows[0],
    End: rows.at(-1),
  };
  const next = reached[event.key]?.querySelector<HTMLElement>('[data-session]');
  if (next == null) return;
  event.preventDefault();
  next.focus();
}

/** A session in the list, or the field for its title. */
function sessionView(name: string, updatedAt: number, state: State, app: App): TemplateResult {
  const { session, labels, renaming } = state;
  const { control } = app;
  const title = nameOf(name, labels);
  if (renaming === name) return renameView(name, title, app);
  return html`<li>
    <button
      type="button"
      data-session=${name}
      title=${title}
      aria-current=${name === session ? 'true' : 'false'}
      @click=${() => {
        app.showPane('talk');
        void control.open(name);
      }}
    >
      <span>${tourIn(name) === null ? '' : icon('film')}<bdi class="name">${title}</bdi></span>
      <small>${when(updatedAt)}</small>
    </button>
    <button
      type="button"
      class="quiet remove"
      title=${t.renameTitle(title)}
      @click=${() => app.store.update({ renaming: name })}
    >
      ${icon('pen')}<span class="sr">${t.renameTitle(title)}</span>
    </button>
    <button
      type="button"
      class="quiet remove"
      title=${t.removeSession(title)}
      @click=${(event: Event) =>
        void app.delete({ what: 'session', name: title }, event.currentTarget as HTMLElement, () =>
          app.removeSession(name),
        )}
    >
      ${icon('trash')}<span class="sr">${t.removeSession(title)}</span>
    </button>
  </li>`;
}

/** Enter and leaving the field store the title, Escape does not; an empty title restores the first. */
function renameView(name: string, title: string, app: App): TemplateResult {
  const stop = (): void => app.store.update({ renaming: null });
  const save = (field: HTMLInputElement): void => {
    if (field.value.trim() === title) stop();
    else app.control.all.rename(name, field.value);
  };
  return html`<li>
    <form
      class="rename"
      @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        save((event.currentTarget as HTMLFormElement).elements.namedItem('title') as HTMLInputElement);
      }}
    >
      <input
        name="title"
        aria-label=${t.renameTitle(title)}
        maxlength=${MAX_TITLE}
        autocomplete="off"
        .value=${title}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          stop();
        }}
        @blur=${(event: FocusEvent) => {
          if (app.store.state.renaming === name) save(event.target as HTMLInputElement);
        }}
      />
    </form>
  </li>`;
}

/** The shortcut of the list of commands as this system writes it. */
function shortcut(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';
}

/** The selected model, and a button to change it. */
function modelButton(state: State, app: App): TemplateResult {
  const { settings, keyIsMissing, download, link } = state;
  const connected = isConnected(settings);
  const { baseURL } = settings;
  const where = {
    tab: t.inThisTab,
    browser: t.inTheBrowser,
    processor: t.onProcessor,
    server: serverAt(baseURL)?.label ?? (URL.canParse(baseURL) ? new URL(baseURL).host : ''),
  }[settings.where];
  const isLocal = settings.where === 'tab' || settings.where === 'processor';
  const own = isLocal ? friendlyName(settings.model) : settings.model;
  const name = settings.where === 'browser' ? t.chromeModel : own;
  const about =
    download !== null
      ? downloadText(download)
      : !connected
        ? t.chooseModel
        : keyIsMissing
          ? t.enterKey
          : link === 'failed'
            ? t.linkFailed
            : link === 'untested'
              ? `${where} · ${t.linkUntested}`
              : where;
  return html`<button
    type="button"
    class="model ${connected ? 'connected' : ''}"
    data-link=${link}
    @click=${() => app.openModels()}
  >
    <span class="light" aria-hidden="true"></span>
    <span class="text">
      <strong>${connected ? name : t.noModel}</strong>
      <small>${about}</small>
    </span>
  </button>`;
}

/** The heading of a session in the list: today, yesterday, a day of the last week, or a month. */
function dayOf(time: number): string {
  const date = new Date(time);
  const days = Math.round((startOfDay(new Date()) - startOfDay(date)) / 86_400_000);
  if (days < 2)
    return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(-Math.max(0, days), 'day');
  if (days < 7) return date.toLocaleDateString(locale(), { weekday: 'long' });
  return date.toLocaleDateString(locale(), { month: 'long', year: 'numeric' });
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** A point in time as users write it. */
export function when(time: number): string {
  const date = new Date(time);
  const today = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(
    locale(),
    today ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  );
}
