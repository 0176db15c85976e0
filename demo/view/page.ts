import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import { showsWorkbench, type Pane, type State } from '../state/app-state.js';
import { nameOf, tourIn } from '../state/session-names.js';
import { t } from '../text/index.js';
import { examplesView, firstRequestView } from './composer.js';
import { conversationView } from './conversation.js';
import { failureView } from './failure.js';
import { galleryView } from './gallery.js';
import { icon, iconButton, type IconName } from './icons.js';
import { dialogs } from './late-views.js';
import { planView } from './plan.js';
import { sessionsView } from './sessions.js';
import { singleClick } from './single-click.js';
import { statusView } from './status.js';
import { toursView } from './tours.js';
import { workView } from './work.js';

/** Renders the whole page. */
export function pageView(state: State, app: App): TemplateResult {
  return html`
    <a class="skip" href="#conversation" @click=${skip}>${t.skip}</a>
    <div class="page ${showsWorkbench(state) ? '' : 'alone'}" data-pane=${state.pane}>
      <aside class="setup pane" aria-label=${t.panes.setup}>${sessionsView(state, app)}</aside>
      <main class="talk pane" id="conversation" tabindex="-1">
        ${head(state, app)} ${state.session === null ? startView(state, app) : talkView(state, app)}
      </main>
      ${workView(state, app)} ${pageReadyView(state, app)}
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
      @click=${(event: MouseEvent) => {
        if (isBeside(event)) app.closeDialog();
      }}
    >
      ${
        state.dialog === null
          ? nothing
          : html`${dialogs?.dialogView(state, app)}
              <button
                type="button"
                class="quiet small away"
                title=${t.close}
                @click=${() => app.closeDialog()}
              >
                ${icon('cross')}<span class="sr">${t.close}</span>
              </button>`
      }
    </dialog>
    ${confirmDialog(state, app)}
  `;
}

/** A click beside a dialog, which closes it. The second click of the double click that has opened it does not. */
function isBeside({ target, currentTarget, detail }: MouseEvent): boolean {
  return target === currentTarget && detail < 2;
}

/** The question before something is deleted, above another dialog. */
function confirmDialog({ confirming, ...state }: State, app: App): TemplateResult {
  const refuse = (): void => app.store.state.confirming?.answer(false);
  return html`<dialog
    class="sheet confirm"
    role="alertdialog"
    aria-labelledby="confirm-title"
    aria-describedby="confirm-text"
    @close=${(event: Event) => {
      if (!(event.currentTarget as HTMLDialogElement).open) refuse();
    }}
    @click=${(event: MouseEvent) => {
      if (isBeside(event)) refuse();
    }}
  >
    ${confirming === null ? nothing : dialogs?.confirmView({ ...state, confirming })}
  </dialog>`;
}

/** The conversation of a session, and the field for the next request. */
function talkView(state: State, app: App): TemplateResult {
  return html`
    ${tourIn(state.session) === null ? nothing : recordedLabel()}
    ${planView(state.plan, () => app.store.update({}))} ${conversationView(state, app)}
  `;
}

/** The page before a session is open: the field for a request, requests to begin with, and recorded runs. */
function startView(state: State, app: App): TemplateResult {
  return html`<div class="scroll">
    <div class="welcome">
      <h2>${t.welcome}</h2>
      <p>${t.welcomeText}</p>
      ${firstRequestView(state, app)} ${examplesView(app)} ${failureView(state, app)}
      <h3>${t.welcomeTemplates}</h3>
      ${galleryView(app)}
      <h3>${t.welcomeTours}</h3>
      ${toursView(app)}
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
    ${statusView(state, app)}
    ${
      state.session === null
        ? nothing
        : html`<button
            type="button"
            class="quiet small"
            title=${t.exportSession}
            ?disabled=${app.control.session === null}
            @click=${singleClick(() => void app.control.export())}
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
    ${state.session === null ? nothing : workbenchButton(showsWorkbench(state), app)}
  </header>`;
}

/** Opens the workbench, or closes it; a narrow screen has its navigation for that. */
function workbenchButton(isShown: boolean, app: App): TemplateResult {
  const label = isShown ? t.hideWorkbench : t.showWorkbench;
  return html`<button
    type="button"
    class="quiet small"
    data-workbench=${isShown ? 'hide' : 'show'}
    title=${label}
    @click=${singleClick(() => app.showWorkbench(!isShown))}
  >
    ${icon('columns')}<span class="sr">${label}</span>
  </button>`;
}

/** On a narrow screen: the run has built a page, which another part shows. */
function pageReadyView({ pageIsReady }: State, app: App): TemplateResult | typeof nothing {
  if (!pageIsReady) return nothing;
  return html`<div class="page-ready" role="status">
    ${icon('check')} <span>${t.pageReady}</span>
    <button type="button" @click=${() => app.showTab('preview')}>${t.openResult}</button>
    ${iconButton('cross', t.close, () => app.store.update({ pageIsReady: false }))}
  </div>`;
}

function recordedLabel(): TemplateResult {
  return html`<p class="tour-label" role="note">
    ${icon('film')} <strong>${t.recorded}</strong> <span>${t.recordedReal}</span>
  </p>`;
}
