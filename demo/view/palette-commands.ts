import type { App } from '../app.js';
import { dialogTexts } from '../text/dialogs.js';
import { LANGUAGES, t, type Language } from '../text/index.js';
import { TOUR_NAMES } from '../tour/names.js';
import { showsWorkbench, type State, type Tab } from '../state/app-state.js';
import { MORE } from '../state/more-tabs.js';
import { mainPage } from '../state/main-page.js';
import { nameOf, tourIn } from '../state/session-names.js';
import { search } from '../state/word-search.js';
import { isConnected, type Preferences } from '../state/settings.js';
import { readOnlyReason } from '../state/read-only.js';

/** An entry of the list of commands. */
export interface PaletteCommand {
  id: string;
  label: string;
  group: string;
  /** More text that the search finds. */
  more?: string;
  run: () => void;
}

const TABS: readonly Tab[] = ['preview', 'files', 'terminal', ...MORE];

/** Maximum number of listed commands. */
const MAX_LISTED = 60;

/** The commands that match the search text, the best first, and the number of those that are not listed. */
export function matches(state: State, app: App): { found: PaletteCommand[]; hidden: number } {
  const textOf = ({ label, group, more = '' }: PaletteCommand): string => `${label} ${group} ${more}`;
  const all = search(paletteCommands(state, app), state.palette.query, textOf);
  return { found: all.slice(0, MAX_LISTED), hidden: Math.max(0, all.length - MAX_LISTED) };
}

/** Returns what the user can do now, the most likely first. */
function paletteCommands(state: State, app: App): PaletteCommand[] {
  return [
    ...sessionCommands(state, app),
    ...actions(state, app),
    ...views(state, app),
    ...others(state, app),
  ];
}

/** Actions on the open session and its run. */
function sessionCommands(state: State, app: App): PaletteCommand[] {
  const d = dialogTexts(state);
  const { control } = app;
  const { session, runningSince, paused, history, files } = state;
  const group = d.groups.actions;
  const page = mainPage(files.flatMap(({ path, type }) => (type === 'file' ? [path] : [])));
  const last = history.findLast(({ by, undone }) => by === 'agent' && !undone);
  const isIdle = runningSince === null;
  const list: (PaletteCommand | false)[] = [
    !isIdle && { id: 'stop', label: t.stop, group, run: () => control.stop() },
    isIdle &&
      paused !== null && {
        id: 'continue',
        label: t.goOn,
        group,
        more: 'run resume',
        run: () => control.resume(),
      },
    { id: 'new-session', label: t.newSession, group, run: () => void control.begin() },
    session !== null && {
      id: 'rename',
      label: d.renameSession,
      group,
      run: () => app.store.update({ renaming: session, pane: 'setup' }),
    },
    isIdle &&
      last !== undefined &&
      readOnlyReason(state) === null && {
        id: 'undo',
        label: d.undoLast,
        group,
        run: () => void control.undo(last.step),
      },
    page !== undefined && {
      id: 'open-page',
      label: d.openPage,
      group,
      run: () => void control.files.preview(page),
    },
    files.length > 0 && {
      id: 'share',
      label: d.shareTitle,
      group,
      more: 'link tab zip',
      run: () => app.openShare(),
    },
    session !== null && { id: 'export', label: t.exportSession, group, run: () => void control.export() },
  ];
  return list.filter((command) => command !== false);
}

function actions(state: State, app: App): PaletteCommand[] {
  const d = dialogTexts(state);
  const group = d.groups.actions;
  return [
    {
      id: 'model',
      label: isConnected(state.settings) ? t.otherModel : t.chooseModel,
      group,
      more: t.model,
      run: () => app.openModels(),
    },
    { id: 'settings', label: t.settings, group, run: () => app.openSettings() },
    {
      id: 'search-sessions',
      label: d.searchSessions,
      group,
      run: () => {
        app.showPane('setup');
        requestAnimationFrame(() => document.querySelector<HTMLElement>('.search-sessions')?.focus());
      },
    },
  ];
}

function views(state: State, app: App): PaletteCommand[] {
  const d = dialogTexts(state);
  if (state.session === null) return [];
  const group = d.groups.view;
  const isShown = showsWorkbench(state);
  return [
    {
      id: 'workbench',
      label: isShown ? t.hideWorkbench : t.showWorkbench,
      group,
      run: () => app.showWorkbench(!isShown),
    },
    ...TABS.map((tab) => ({
      id: `tab-${tab}`,
      label: d.show(t.panes[tab]),
      group,
      run: () => app.showTab(tab),
    })),
  ];
}

/** Other sessions, tours, appearance. */
function others(state: State, app: App): PaletteCommand[] {
  const d = dialogTexts(state);
  const { sessions, session, labels, preferences } = state;
  const themes = Object.entries(d.themes).filter(([theme]) => theme !== preferences.theme);
  const languages = Object.entries(LANGUAGES).filter(([language]) => language !== preferences.language);
  return [
    ...sessions
      .filter(({ name }) => name !== session)
      .map(({ name }) => ({
        id: `session-${name}`,
        label: d.open(nameOf(name, labels)),
        group: d.groups.sessions,
        more: labels[name]?.first ?? (tourIn(name) === null ? name : ''),
        run: () => {
          app.showPane('talk');
          void app.control.open(name);
        },
      })),
    ...TOUR_NAMES.map((name) => ({
      id: `tour-${name}`,
      label: d.watch(t.tours[name].title),
      group: d.groups.tours,
      run: () => void app.control.startTour(name),
    })),
    ...themes.map(([theme, label]) => ({
      id: `theme-${theme}`,
      label: d.useTheme(label),
      group: d.groups.view,
      run: () => void app.prefer({ theme: theme as Preferences['theme'] }),
    })),
    ...languages.map(([language, label]) => ({
      id: `language-${language}`,
      label: d.useLanguage(label),
      group: d.groups.view,
      more: 'Language 语言',
      run: () => void app.prefer({ language: language as Language }),
    })),
  ];
}
