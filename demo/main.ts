import { render } from 'lit';
import { setRenderers } from 'rolezero/element';
import { App } from './app.js';
import { DraftControl } from './draft-control.js';
import { registerOffline } from './offline/register.js';
import { trustOwnScripts } from './own-scripts.js';
import { showsWorkbench, shownFile, Store, type State } from './state/app-state.js';
import { retryWait } from './state/retry-wait.js';
import { loadLabels } from './state/session-labels.js';
import { SessionViews } from './state/session-views.js';
import { nameOf } from './state/session-names.js';
import { t } from './text/index.js';
import { Keys, loadPreferences, loadSettings, loadTourSpeed } from './state/settings.js';
import { lateViews } from './view/late-views.js';
import { pageView } from './view/page.js';
import { restoreShare } from './view/splitter.js';

trustOwnScripts();
setRenderers({
  highlight: async () => (await import('./panes/highlight.js')).highlight,
  math: async () => (await import('./panes/formula.js')).formula,
  diagram: async () => (await import('./panes/diagram.js')).diagram,
});
const root = document.body;
const keys = new Keys(localStorage);
const store = new Store(show);
const views = new SessionViews(localStorage);
const app = new App(store, keys, new DraftControl(sessionStorage), views, lateViews);
let shown: State | null = null;

/** Shows the state. Another session fades in, and the workbench slides in and out, where the browser can do that. */
function show(state: State): void {
  const isMoving = shown !== null && arrangement(shown) !== arrangement(state);
  const isDialogOpen = shown !== null && (shown.dialog !== null || shown.confirming !== null); // It closes immediately.
  const isStill =
    matchMedia('(prefers-reduced-motion: reduce)').matches || !('startViewTransition' in document);
  if (!isMoving || isDialogOpen || isStill) paint(state);
  else document.startViewTransition(() => paint(store.state)).ready.catch(() => {}); // The next one ends it early.
}

/** What moves when it changes. */
function arrangement(state: State): string {
  return `${showsWorkbench(state)} ${state.session}`;
}

function paint(state: State): void {
  const before = shown;
  shown = state;
  if (before !== null && before.session !== state.session) app.drafts.keep();
  render(pageView(state, app), root);
  app.editor.sync(root, state);
  app.drafts.show(state.session);
  if (app.control.session !== null) app.views.keep(state);
  showTitle(state);
  keepFileTabInSight(state, before);
  keepSessionInSight(state, before);
  showDialog(state, before);
  showConfirmation(state, before);
  keepDownloadInSight(state, before);
  for (const lines of root.querySelectorAll('.shell')) lines.scrollTop = lines.scrollHeight;
  if (state.question !== null && state.question.id !== before?.question?.id) focusQuestion();
  if (state.question === null && before?.question) focusComposer();
  if (before !== null && (before.session === null) !== (state.session === null)) focusComposer();
  if (before !== null && showsWorkbench(before) && !showsWorkbench(state)) leaveWorkbench();
  if (state.renaming !== null && state.renaming !== before?.renaming) focusTitle();
}

/** A tab in the background says whose turn it is. */
function showTitle({ session, labels, question, runningSince }: State): void {
  const turn = question === null ? (runningSince === null ? [] : ['…']) : [`● ${t.waitingForYou}`];
  const title = [...turn, ...(session === null ? [] : [nameOf(session, labels)]), t.product].join(' · ');
  if (document.title !== title) document.title = title;
}

/** The tab of the file in the editor. */
function keepFileTabInSight(state: State, before: State | null): void {
  const isSame = before !== null && shownFile(state)?.path === shownFile(before)?.path;
  if (isSame && state.tab === before.tab && state.fileTabs === before.fileTabs) return;
  root.querySelector('.file-tab.current')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** The open session in the list, when it is opened or listed, or the list is shown. */
function keepSessionInSight(state: State, before: State | null): void {
  const isListed = ({ sessions, session }: State): boolean => sessions.some(({ name }) => name === session);
  const isSame = before?.session === state.session && before.pane === state.pane;
  if (!isListed(state) || (isSame && isListed(before))) return;
  root.querySelector('[data-session][aria-current="true"]')?.scrollIntoView({ block: 'nearest' });
}

function showDialog({ dialog }: State, before: State | null): void {
  if (dialog === (before?.dialog ?? null)) return;
  const element = root.querySelector('dialog');
  if (dialog === null) element?.close();
  else if (element?.open === false) element.showModal();
  if (dialog !== null) element?.querySelector('.inside')?.scrollTo(0, 0);
}

function showConfirmation({ confirming }: State, before: State | null): void {
  if ((confirming === null) === (before === null || before.confirming === null)) return;
  const element = root.querySelector<HTMLDialogElement>('dialog.confirm');
  if (confirming === null) element?.close();
  else element?.showModal();
}

/** The progress of a download when it starts and when the dialog is opened again, and why it failed. */
function keepDownloadInSight(state: State, before: State | null): void {
  const { dialog, ways, downloadFailure } = state;
  if (dialog !== 'model') return;
  const isListed = before?.dialog === dialog && (before.ways === null) === (ways === null);
  const isBusy = state.download !== null;
  const isKnown = isListed && isBusy === (before.download !== null);
  if (isKnown && downloadFailure === before.downloadFailure) return;
  if (isBusy || downloadFailure !== null)
    root.querySelector(':is(.ways .download, .ways .notice)')?.scrollIntoView({ block: 'nearest' });
}

/** A user who is typing is not interrupted; the question is right above. It is shown with the next frame. */
function focusQuestion(): void {
  requestAnimationFrame(() => {
    const chat = root.querySelector('rolezero-chat');
    const typing = document.activeElement;
    if (typing === chat && chat?.draft.text !== '') return;
    if (typing?.closest('.work') != null || store.state.question === null) return;
    chat?.focus({ preventScroll: true });
  });
}

function focusTitle(): void {
  const field = root.querySelector<HTMLInputElement>('.rename input');
  field?.focus();
  field?.select();
}

/** The focus does not remain in the workbench when that is hidden. */
function leaveWorkbench(): void {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || focused.closest('.work') === null) return;
  if (focused.checkVisibility({ visibilityProperty: true })) return; // A narrow screen shows it alone.
  focused.blur();
  focusComposer();
}

/** Moves the focus to the field for requests, or to what is there instead, unless the user has moved it. */
function focusComposer(): void {
  const chat = root.querySelector('rolezero-chat');
  void chat?.updateComplete.then(() => {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const instead = chat.querySelector<HTMLElement>('.composer button');
    (instead ?? chat).focus({ preventScroll: true });
  });
}

/** Stores the session name in the URL, so that a reload and a bookmark open it again. */
function sessionInAddress(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return ''; // A malformed URL.
  }
}

document.addEventListener('keydown', (event) => {
  const inside = event.target instanceof Element && event.target.closest('.work, dialog') !== null; // Escape has a function there.
  if (event.key === 'Escape' && !inside) app.control.stop();
  if (
    event.key.toLowerCase() === 'k' &&
    (event.ctrlKey || event.metaKey) &&
    !event.shiftKey &&
    !event.altKey
  ) {
    event.preventDefault();
    if (store.state.confirming !== null) return;
    if (store.state.dialog === 'palette') app.closeDialog();
    else app.openPalette();
  }
});
/** Imports anything dropped on the page; otherwise the browser would open the file instead of the page. */
for (const type of ['dragover', 'drop'] as const)
  document.addEventListener(
    type,
    (event) => {
      const { dataTransfer } = event;
      if (dataTransfer?.types.includes('Files') !== true) return; // Text dragged within the page.
      if (event.composedPath().some((each) => each instanceof HTMLFormElement)) return; // The field attaches them.
      event.preventDefault();
      event.stopPropagation();
      if (type === 'drop') void app.dropped(dataTransfer);
    },
    { capture: true },
  );
addEventListener('pagehide', () => app.editor.flush());
for (const type of ['pagehide', 'visibilitychange'])
  addEventListener(type, () => {
    if (!app.isForgotten) app.drafts.save();
  });
addEventListener('visibilitychange', () => {
  if (document.hidden) void app.control.files.keepScroll();
});
document.addEventListener('input', () => app.drafts.keep());
addEventListener('hashchange', () => {
  const name = sessionInAddress();
  if (name !== '' && name !== store.state.session) void app.control.open(name);
});
setInterval(() => {
  const { state } = store;
  if (state.runningSince !== null || retryWait(state, Date.now() - 1_500) > 0) store.update({}); // Update the elapsed time.
}, 1_000);

async function start(): Promise<void> {
  restoreShare();
  const settings = loadSettings(localStorage);
  await app.apply(loadPreferences(localStorage, navigator.languages));
  const named = sessionInAddress();
  const tourSpeed = loadTourSpeed(localStorage);
  store.update({
    settings,
    link: settings.isTested === true ? 'ok' : 'untested',
    labels: loadLabels(localStorage),
    tourSpeed,
    keyIsMissing: keys.isMissing(settings.baseURL),
    session: named || null,
  });
  paint(store.state); // The frames for pages must exist before a session is opened.
  if (named === '') await app.control.all.load();
  else await app.control.open(named);
}

void start();
void registerOffline((update) => store.update({ update }));
