import { render } from 'lit';
import { SessionControl } from './session-control.js';
import { Store, type State } from './state/app-state.js';
import { isConnected, Keys, loadSettings } from './state/settings.js';
import { pageView } from './view/page.js';

const root = document.body;
const keys = new Keys(localStorage);
const store = new Store(show);
const control = new SessionControl(store, keys);
let shown: State | null = null;
/** The person reads the end of the conversation and not something further up. */
let following = true;

function show(state: State): void {
  const before = shown;
  shown = state;
  render(pageView(state, control, store, keys), root);
  const openedAnother = before?.session !== state.session || (before.opening && !state.opening);
  const wantsAttention = state.question !== before?.question || state.paused !== before.paused;
  if (following || openedAnother || wantsAttention) keepEndInSight();
  for (const writing of root.querySelectorAll('.writing')) writing.scrollTop = writing.scrollHeight;
  if (state.question !== null && state.question.id !== before?.question?.id) focusQuestion();
  if (state.question === null && before?.question) focusComposer();
}

function keepEndInSight(): void {
  const log = root.querySelector('.scroll');
  if (log !== null) log.scrollTop = log.scrollHeight;
}

/** A person who is typing is not interrupted; the question stands right above. */
function focusQuestion(): void {
  const typing = root.querySelector<HTMLTextAreaElement>('.composer textarea');
  if (typing !== null && document.activeElement === typing && typing.value !== '') return;
  root.querySelector<HTMLElement>('.question button, .question input')?.focus({ preventScroll: true });
}

function focusComposer(): void {
  root.querySelector<HTMLElement>('.composer textarea, .composer button')?.focus({ preventScroll: true });
}

/** The name of the session in the address, so that a reload and a bookmark find it again. */
function sessionInAddress(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return ''; // an address somebody mistyped
  }
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') control.stop();
});
addEventListener('resize', () => {
  if (following) keepEndInSight();
});
root.addEventListener(
  'scroll',
  ({ target }) => {
    if (!(target instanceof Element) || !target.matches('.scroll')) return;
    following = target.scrollHeight - target.scrollTop - target.clientHeight < 80;
  },
  { capture: true, passive: true },
);
addEventListener('hashchange', () => {
  const name = sessionInAddress();
  if (name !== '' && name !== store.state.session) void control.open(name);
});
setInterval(() => {
  if (store.state.runningSince !== null) store.update({}); // the time that has passed
}, 1_000);

const settings = loadSettings(localStorage);
store.update({
  settings,
  keyIsMissing: keys.isMissing(settings.baseURL),
  settingsOpen: !isConnected(settings),
});
const named = sessionInAddress();
if (named === '') void control.list();
else void control.open(named);
