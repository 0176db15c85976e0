import { html, nothing, type TemplateResult } from 'lit';
import type { SessionControl } from '../session-control.js';
import type { Pane, State, Store } from '../state/app-state.js';
import { isTour, titleOf } from '../state/session-names.js';
import type { Keys } from '../state/settings.js';
import { composerView } from './composer.js';
import { conversationView, noticeView } from './conversation.js';
import { filesView } from './files.js';
import { icon, type IconName } from './icons.js';
import { planView } from './plan.js';
import { questionView } from './question.js';
import { sessionsView, when } from './sessions.js';
import { noModelView, settingsView } from './settings.js';
import { statusView, usageView } from './status.js';

/** The whole page for a state. */
export function pageView(state: State, control: SessionControl, store: Store, keys: Keys): TemplateResult {
  const openSettings = (): void => store.update({ settingsOpen: true, pane: 'setup' });
  const tour = (): void => void control.startTour();
  return html`
    <a class="skip" href="#conversation" @click=${skip}>Skip to the conversation</a>
    <div class="page" data-pane=${state.pane}>
      <header class="top">
        <div class="bar">
          <h1>
            <span class="logo" aria-hidden="true"></span> RoleZero
            <small>an agent that lives in this tab</small>
          </h1>
          ${usageView(state.usage, state.session)} ${statusView(state)}
        </div>
        ${
          isTour(state.session)
            ? html`<p class="tour-label" role="note">
                ${icon('film')} <strong>Recorded replies — no model is running.</strong>
                <span>Worker, commands, plan, files and questions are real.</span>
              </p>`
            : nothing
        }
      </header>
      <aside class="setup pane" aria-label="Sessions and model">
        <section>
          <h2>Sessions</h2>
          ${sessionsView(state, {
            begin: () => void control.begin(),
            open: (name) => {
              store.update({ pane: 'talk' });
              void control.open(name);
            },
            remove: (name) => void control.remove(name),
          })}
        </section>
        <section>
          <h2>Model</h2>
          ${settingsView(state, keys, {
            connect: (settings, key, remember) => {
              store.update({ pane: 'talk' });
              void control.connectModel(settings, key, remember);
            },
            open: (settingsOpen) => store.update({ settingsOpen }),
          })}
        </section>
      </aside>
      <main class="talk pane" id="conversation" tabindex="-1">
        ${
          state.session === null
            ? nothing
            : html`<div class="title">
                <h2>${titleOf(state.session)}</h2>
                <button
                  type="button"
                  class="quiet"
                  title="Save this session as a file"
                  @click=${() => void control.export()}
                >
                  ${icon('save')}<span class="sr">Save this session as a file</span>
                </button>
              </div>`
        }
        <div class="scroll" role="log" aria-label="Conversation" aria-live="off" tabindex="0">
          ${state.session === null ? welcome(tour) : conversationView(state.conversation)}
          ${state.failure === null ? nothing : noticeView('error', state.failure.code, state.failure.message)}
          ${state.needsModel ? noModelView(openSettings, tour) : nothing}
          ${state.question === null ? nothing : questionView(state.question, (text) => void control.answer(text))}
          ${state.paused === null ? nothing : pausedView(state, control, openSettings)}
        </div>
        ${composerView(state, {
          send: (text) => control.send(text),
          stop: () => control.stop(),
          begin: () => void control.begin(),
        })}
      </main>
      <section class="plan pane" aria-label="Plan">
        <h2>Plan</h2>
        ${planView(state.plan)}
      </section>
      <section class="files pane" aria-label="Files">
        <h2>Files</h2>
        ${filesView(state, {
          show: (path) => void control.showFile(path),
          download: () => control.downloadFile(),
          follow: (on) => control.setFollow(on),
          togglePreview: () => control.togglePreview(),
        })}
      </section>
      <nav class="panes" aria-label="Parts of the page">
        ${PANES.map(
          ([pane, label, name]) =>
            html`<button
              type="button"
              aria-current=${state.pane === pane ? 'page' : 'false'}
              @click=${() => store.update({ pane })}
            >
              ${icon(name)} ${label}${badge(state, pane)}
            </button>`,
        )}
      </nav>
      <p class="sr" aria-live="polite">${state.announcement}</p>
    </div>
  `;
}

/** The address names the session, so the link only moves the focus. */
function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#conversation')?.focus();
}

const PANES: readonly [Pane, string, IconName][] = [
  ['talk', 'Talk', 'chat'],
  ['plan', 'Plan', 'list'],
  ['files', 'Files', 'file'],
  ['setup', 'Setup', 'sliders'],
];

function badge({ plan, changed, question }: State, pane: Pane): TemplateResult | typeof nothing {
  const tasks = plan?.tasks ?? [];
  const text = {
    talk: question === null ? '' : '1',
    plan: tasks.length === 0 ? '' : `${tasks.filter((task) => task.isFinished).length}/${tasks.length}`,
    files: changed.size === 0 ? '' : String(changed.size),
    setup: '',
  }[pane];
  return text === '' ? nothing : html`<span class="count">${text}</span>`;
}

function welcome(tour: () => void): TemplateResult {
  return html`<div class="welcome">
    <span class="logo large" aria-hidden="true"></span>
    <h2>Ask for something to be built.</h2>
    <p>
      RoleZero plans, writes and edits files, asks when it is unsure and remembers everything, all inside this
      tab: no server of ours, and a reload loses nothing.
    </p>
    <button type="button" class="big" @click=${tour}>
      ${icon('play')}
      <span>Watch the tour <small>recorded replies, real agent</small></span>
    </button>
    <p class="hint">Or connect a model under <em>Model</em> and type a request below.</p>
  </div>`;
}

const PAUSED = { stopped: 'Stopped', failed: 'Failed', interrupted: 'This run was interrupted' };

function pausedView(
  { paused, keyIsMissing }: State,
  control: SessionControl,
  openSettings: () => void,
): TemplateResult {
  const since = paused?.at === null || paused === null ? '' : ` at ${when(paused.at)}`;
  return html`<div class="paused" data-entry="paused">
    <p>
      <strong>${PAUSED[paused?.why ?? 'interrupted']}${since}.</strong>
      Everything done so far is kept.
      ${keyIsMissing ? 'The API key was in memory only; enter it again first.' : nothing}
    </p>
    ${
      keyIsMissing
        ? html`<button type="button" @click=${openSettings}>Enter the key</button>`
        : html`<button type="button" class="continue" @click=${() => control.resume()}>
            ${icon('play')} Continue
          </button>`
    }
  </div>`;
}
