import { html, nothing, type TemplateResult } from 'lit';
import type { RoleZeroError } from 'rolezero';
import { guard } from 'lit/directives/guard.js';
import 'rolezero/element';
import { roleNames } from '../agent-config.js';
import type { App } from '../app.js';
import type { Draft } from '../draft-control.js';
import type { State } from '../state/app-state.js';
import { changesOf, type FileChanges } from '../state/file-changes.js';
import { retryWait } from '../state/retry-wait.js';
import { isTeam, tourIn } from '../state/session-names.js';
import { readOnlyReason } from '../state/read-only.js';
import { chatWords } from '../text/chat-words.js';
import { t } from '../text/index.js';
import { adviceView } from './advice.js';
import { besideFieldView, noComposerView, sendIt } from './composer.js';
import { failureView } from './failure.js';
import { ideasView } from './gallery.js';
import { icon } from './icons.js';
import { loadingView, pickedView } from './model-notices.js';
import { resultView } from './result.js';
import { when } from './sessions.js';
import { singleClick } from './single-click.js';

/** The conversation with the open session, with what the page adds to it. */
export function conversationView(state: State, app: App): TemplateResult {
  const { conversation, session, cursor, picked, loading, runningSince, paused } = state;
  const isFailed = paused?.why === 'failed' && conversation.failure !== null;
  const selected = cursor === null ? undefined : conversation.steps[cursor]?.replyId;
  return html`<rolezero-chat
    aria-live="off"
    .roles=${roleNames(isTeam(session))}
    .words=${chatWords(t)}
    .session=${app.control.session}
    .selected=${selected ?? null}
    @rolezero-send=${(event: CustomEvent<Draft>) => sendIt(event, app)}
    @rolezero-answer=${(event: CustomEvent<{ text: string }>) => {
      event.preventDefault();
      void app.control.answer(event.detail.text);
    }}
    @rolezero-error=${(event: CustomEvent<{ error: RoleZeroError }>) => {
      event.preventDefault();
      void app.control.guarded(() => Promise.reject(event.detail.error));
    }}
  >
    <div slot="start">
      ${picked === null ? nothing : pickedView(picked, app)} ${isTemplate(state) ? ideasView(app) : nothing}
    </div>
    ${undoViews(state, app)}
    <div slot="files">${resultView(state, app)}</div>
    <div slot="end">
      ${failureView(state, app)}
      ${loading === null || runningSince === null ? nothing : loadingView(loading.share, loading.text)}
    </div>
    ${isFailed ? failedView(state, app) : nothing}
    <div slot="interrupted">${paused === null || isFailed ? nothing : pausedView(state, app)}</div>
    ${noComposerView(state, app)} ${besideFieldView(state, app)}
  </rolezero-chat>`;
}

/** Files are there, and nothing was requested: a template was opened. */
function isTemplate(state: State): boolean {
  const { conversation, files, opening, session, runningSince } = state;
  if (opening || runningSince !== null || !conversation.isOpen || tourIn(session) !== null) return false;
  return conversation.entries.length === 0 && files.length > 0 && readOnlyReason(state) === null;
}

/** Undo, or that it is done, for each step that has changed files. */
function undoViews(state: State, app: App): unknown {
  const { conversation, history, runningSince } = state;
  const { steps } = conversation;
  const mayUndo = runningSince === null && readOnlyReason(state) === null;
  return guard([steps, history, mayUndo, t], () =>
    steps.map((step) => {
      const changes = step.replyId === '' ? null : changesOf(step, history);
      if (changes === null || !(mayUndo || changes.undone)) return nothing;
      return html`<div slot="step-${step.replyId}">
        ${undoView(changes, mayUndo, (act, number) => void app.control.undo(number, act))}
      </div>`;
    }),
  );
}

/** Undoes the file changes of a step. */
function undoView(
  { step, paths, undone }: FileChanges,
  mayUndo: boolean,
  act: (act: 'undo' | 'redo', step: string) => void,
): TemplateResult {
  if (undone)
    return html`<p class="aside undo">
      ${icon('undo')} ${t.undone}: ${paths.join(', ')}
      ${
        mayUndo
          ? html`<button
              type="button"
              class="quiet small"
              data-redo=${step}
              @click=${singleClick(() => act('redo', step))}
            >
              ${t.redo}<span class="sr">: ${paths.join(', ')}</span>
            </button>`
          : nothing
      }
    </p>`;
  return html`<p class="undo">
    <button
      type="button"
      class="quiet small"
      title=${t.undoStep}
      data-undo=${step}
      @click=${singleClick(() => act('undo', step))}
    >
      ${icon('undo')} <span class="sr">${t.undo}: ${paths.join(', ')}</span>
    </button>
  </p>`;
}

/** What to do about the error that ended a run. */
function failedView(state: State, app: App): TemplateResult | typeof nothing {
  const { failure } = state.conversation;
  if (failure === null) return nothing;
  return html`<p slot="failure" class="buttons" data-entry="paused">
    ${continueView(state, app)} ${adviceView(failure.advice ?? failure.code, app)}
  </p>`;
}

/** A run that can be continued. */
function pausedView(state: State, app: App): TemplateResult {
  const { at = null, why = 'interrupted', step } = state.paused ?? {};
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
