import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import { isElsewhere, type Pane, type State } from '../state/app-state.js';
import { failureIn } from '../state/conversation.js';
import { retryWait } from '../state/retry-wait.js';
import { nameOf, tourIn } from '../state/session-names.js';
import { t } from '../text/index.js';
import { composerView, examplesView } from './composer.js';
import { adviceView } from './advice.js';
import { conversationView, noticeView } from './conversation.js';
import { icon, type IconName } from './icons.js';
import { loadingView, pickedView } from './model-notices.js';
import { planView } from './plan.js';
import { questionView } from './question.js';
import { resultView, sharedView } from './result.js';
import { sessionsView, when } from './sessions.js';
import { statusView } from './status.js';
import { tourNote, toursView } from './tours.js';
import { workView } from './work.js';

/** Renders the whole page. */
export function pageView(state: State, app: App): TemplateResult {
  return html`
    <a class="skip" href="#conversation" @click=${skip}>${t.skip}</a>
    <div class="page ${state.session === null ? 'blank' : ''}" data-pane=${state.pane}>
      <aside class="setup pane" aria-label=${t.panes.setup}>${sessionsView(state, app)}</aside>
      <main class="talk pane" id="conversation" tabindex="-1">
        ${head(state, app)} ${state.session === null ? startView(state, app) : talkView(state, app)}
      </main>
      ${workView(state, app)}
      <nav class="panes" aria-label=${t.parts}>
        ${PANES.map(
          ([pane, name]) =>
            html`<button
              type="button"
              aria-current=${state.pane === pane ? 'page' : 'false'}
              @click=${() => app.showPane(pane)}
            >
              ${icon(name)}
              ${t.panes[pane]}${pane === 'talk' && state.question !== null ? html`<span class="count">1</span>` : nothing}
            </button>`,
        )}
      </nav>
      <p class="sr" aria-live="polite">${state.announcement}</p>
    </div>
    <dialog
      class="sheet ${state.dialog ?? ''}"
      aria-labelledby="dialog-title"
      @close=${() => {
        // A dialog that another one has replaced closes late.
        if (app.store.state.dialog === state.dialog) app.closeDialog();
      }}
      @click=${(event: Event) => {
        if (event.target === event.currentTarget) app.closeDialog();
      }}
    >
      ${
        state.dialog === null
          ? nothing
          : html`<div class="inside">
              ${app.dialogs?.dialogView(state, app)}
              <button
                type="button"
                class="quiet small away"
                title=${t.close}
                @click=${() => app.closeDialog()}
              >
                ${icon('cross')}<span class="sr">${t.close}</span>
              </button>
            </div>`
      }
    </dialog>
  `;
}

/** The conversation of a session, and the field for the next request. */
function talkView(state: State, app: App): TemplateResult {
  const { picked, loading, question, runningSince } = state;
  return html`
    ${tourIn(state.session) === null ? nothing : recordedLabel()}
    ${planView(state.plan, () => app.store.update({}))}
    <div class="scroll" role="log" aria-label=${t.conversation} aria-live="off" tabindex="0">
      ${picked === null ? nothing : pickedView(picked, app)} ${conversationView(state, app)}
      ${resultView(state, app)} ${sharedView(state, app)} ${failureView(state, app)}
      ${loading === null || runningSince === null ? nothing : loadingView(loading.share, loading.text)}
      ${question === null ? nothing : questionView(question, (text) => void app.control.answer(text))}
      ${state.paused === null ? nothing : pausedView(state, app)}
    </div>
    ${tourNote(state, app)} ${composerView(state, app)}
  `;
}

/** The page before a session is open: the field for a request, requests to begin with, and recorded runs. */
function startView(state: State, app: App): TemplateResult {
  return html`<div class="scroll">
    <div class="welcome">
      <h2>${t.welcome}</h2>
      <p>${t.welcomeText}</p>
      ${composerView(state, app)} ${examplesView()} ${failureView(state, app)}
      <h3>${t.welcomeTours}</h3>
      ${toursView(app)}
    </div>
  </div>`;
}

/** An error outside of a run, or that another tab has the session. */
function failureView({ failure, session, opening }: State, app: App): TemplateResult | typeof nothing {
  const { control } = app;
  if (failure === null) return nothing;
  if (!isElsewhere({ failure }) || session === null)
    return noticeView(
      { code: failure.code, text: failure.message },
      html`<p class="buttons">${adviceView(failure.code, app)}</p>`,
    );
  return html`<div class="notice info" role="alert" data-entry="busy">
    ${icon('warn')}
    <div>
      <p><strong>${t.busy}</strong></p>
      <p>${t.busyText}</p>
      <p class="choices">
        <button type="button" ?disabled=${opening} @click=${() => void control.openBusy('takeOver')}>
          ${t.continueHere}
        </button>
        <button
          type="button"
          class="quiet framed"
          ?disabled=${opening}
          @click=${() => void control.openBusy('view')}
        >
          ${t.showReadOnly}
        </button>
      </p>
    </div>
  </div>`;
}

/** The URL names the session, so the link only moves the focus. */
function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#conversation')?.focus();
}

const PANES: readonly [Pane, IconName][] = [
  ['talk', 'chat'],
  ['work', 'list'],
  ['setup', 'folder'],
];

function head(state: State, app: App): TemplateResult {
  const name = state.session === null ? t.newSession : nameOf(state.session, state.labels);
  return html`<header class="title">
    <h2 title=${name}><bdi>${name}</bdi></h2>
    ${statusView(state)}
    ${
      state.session === null
        ? nothing
        : html`<button
            type="button"
            class="quiet small"
            title=${t.exportSession}
            @click=${() => void app.control.export()}
          >
            ${icon('save')}<span class="sr">${t.exportSession}</span>
          </button>`
    }
    ${
      state.update === null
        ? nothing
        : html`<button type="button" class="small" title=${t.updateReady} @click=${state.update}>
            ${t.update}
          </button>`
    }
  </header>`;
}

function recordedLabel(): TemplateResult {
  return html`<p class="tour-label" role="note">
    ${icon('film')} <strong>${t.recorded}</strong> <span>${t.recordedReal}</span>
  </p>`;
}

/** A run that can be continued. If an error ended it, one card has the error, the advice, and what to do. */
function pausedView(state: State, app: App): TemplateResult {
  const { paused } = state;
  const failure = failureIn(state.conversation);
  if (paused?.why === 'failed' && failure !== null)
    return noticeView(
      failure,
      html`<p class="buttons" data-entry="paused">
        ${continueView(state, app)} ${adviceView(failure.advice ?? failure.code, app)}
      </p>`,
    );
  const { at = null, why = 'interrupted', step } = paused ?? {};
  const since = at === null || why === 'forked' ? '' : t.at(when(at));
  const what = why === 'forked' ? t.forkedFrom(step ?? 0) : `${t.paused[why]}${since}${t.fullStop}`;
  return html`<div class="paused" data-entry="paused">
    <p>
      <strong>${what}</strong>
      ${why === 'forked' ? t.forkedNext : t.saved} ${state.keyIsMissing ? t.keyFirst : nothing}
    </p>
    ${continueView(state, app)}
  </div>`;
}

function continueView(state: State, app: App): TemplateResult {
  if (state.keyIsMissing)
    return html`<button type="button" @click=${() => app.openModels()}>${t.enterKey}</button>`;
  const wait = Math.ceil(retryWait(state, Date.now()) / 1_000);
  return html`<button
    type="button"
    class="continue"
    ?disabled=${wait > 0}
    @click=${() => app.control.resume()}
  >
    ${icon('play')} ${wait > 0 ? t.tryAgainIn(wait) : t.goOn}
  </button>`;
}
