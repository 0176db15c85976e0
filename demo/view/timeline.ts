import { html, nothing, type TemplateResult } from 'lit';
import type { StepTrace } from 'rolezero';
import { isolated } from 'rolezero/element';
import type { App } from '../app.js';
import type { FileAfter, State } from '../state/app-state.js';
import { changesOf } from '../state/file-changes.js';
import { readOnlyReason } from '../state/read-only.js';
import { locale, t } from '../text/index.js';
import { partTexts } from '../text/parts.js';
import { commandText } from './command-text.js';
import { emptyView, icon } from './icons.js';

/** The steps of the session: the selected one with its calls and commands, undo, and fork. */
export function timelineView(state: State, app: App): TemplateResult {
  const { steps } = state.conversation;
  const p = partTexts(state);
  if (steps.length === 0) return emptyView('clock', p.noSteps);
  const at = Math.min(state.cursor ?? steps.length - 1, steps.length - 1);
  const step = steps[at];
  const look = (index: number): void => {
    app.store.update({ cursor: Math.max(0, Math.min(steps.length - 1, index)) });
    void app.control.past.look();
  };
  const longest = Math.max(1, ...steps.map(({ durationMs }) => durationMs));
  return html`
    ${state.conversation.hasOlder ? olderButton(state, app.control) : nothing}
    <div class="bars" aria-hidden="true">
      ${steps.map(
        ({ durationMs, commands }, index) =>
          html`<span
            class="${index === at ? 'current' : ''} ${commands.some(({ ok }) => !ok) ? 'failed' : ''}"
            style="height: ${12 + 88 * Math.sqrt(durationMs / longest)}%"
            @click=${() => look(index)}
          ></span>`,
      )}
    </div>
    <input
      type="range"
      min="0"
      max=${steps.length - 1}
      .value=${String(at)}
      aria-label=${p.scrub}
      aria-valuetext=${t.stepOf(at + 1, steps.length)}
      @input=${(event: Event) => look(Number((event.target as HTMLInputElement).value))}
    />
    ${step === undefined ? nothing : stepView(step, at, state, app)} ${pastView(state, app)}
  `;
}

function stepView(step: StepTrace, at: number, state: State, app: App): TemplateResult {
  const p = partTexts(state);
  const { control } = app;
  const changes = changesOf(step, state.history);
  const answers = Object.values(step.answers);
  return html`<article class="trace">
    <header>
      <strong>${t.stepOf(at + 1, state.conversation.steps.length)}</strong>
      <small
        >${step.role} · ${new Date(step.startedAt).toLocaleTimeString(locale())} ·
        ${duration(step.durationMs)}</small
      >
    </header>
    ${
      step.calls.length === 0
        ? nothing
        : html`<h3>${p.replies}</h3>
            <ul>
              ${step.calls.map(
                ({ purpose, promptTokens, completionTokens, durationMs }) =>
                  html`<li>
                    <span>${p.purposes[purpose]}</span>
                    <small>
                      ${duration(durationMs)}${
                        promptTokens + completionTokens === 0
                          ? nothing
                          : html` ·
                            ${t.tokensInOut(promptTokens.toLocaleString(locale()), completionTokens.toLocaleString(locale()))}`
                      }
                    </small>
                  </li>`,
              )}
            </ul>`
    }
    ${
      step.commands.length === 0
        ? nothing
        : html`<h3>${p.commands}</h3>
            <ul>
              ${step.commands.map(
                ({ name, ok, durationMs, approvedBy }) =>
                  html`<li class=${ok ? 'ok' : 'failed'}>
                    ${icon(ok ? 'check' : 'cross')} ${commandWords(name, app)}
                    <small
                      >${duration(durationMs)}${approvedBy === 'user' ? ` · ${p.allowedByUser}` : ''}</small
                    >
                  </li>`,
              )}
            </ul>`
    }
    ${
      answers.length === 0
        ? nothing
        : html`<h3>${t.answered}</h3>
            <ul>
              ${answers.map((answer) => html`<li>${answer}</li>`)}
            </ul>`
    }
    <div class="buttons">
      ${
        changes === null || changes.undone || readOnlyReason(state) !== null
          ? nothing
          : html`<button
              type="button"
              class="quiet framed small"
              title=${t.undoStep}
              ?disabled=${state.runningSince !== null}
              @click=${() => void control.undo(changes.step)}
            >
              ${icon('undo')} ${t.undo}
            </button>`
      }
      <button
        type="button"
        class="quiet framed small"
        data-fork
        title=${p.forkHint}
        ?disabled=${state.runningSince !== null || state.forking}
        @click=${() => void control.fork(step)}
      >
        ${icon('fork')} ${p.fork}
      </button>
    </div>
  </article>`;
}

/** The files after the step, changed ones first, and the change of one of them. */
function pastView(state: State, app: App): TemplateResult | typeof nothing {
  const { past } = state;
  if (past === null) return nothing;
  const p = partTexts(state);
  const changed = past.files.filter(({ change }) => change !== null);
  const others = past.files.filter(({ change }) => change === null);
  const list = (files: readonly FileAfter[]): TemplateResult =>
    html`<ul class="tree">
      ${files.map((file) => pastFile(file, state, app))}
    </ul>`;
  return html`<section class="past" aria-label=${p.filesAfterStep}>
      <h3>${p.filesAfterStep}</h3>
      ${changed.length === 0 ? html`<p class="aside">${p.noFileChanges}</p>` : list(changed)}
      ${
        others.length === 0
          ? nothing
          : html`<details>
              <summary>${p.otherFiles(others.length)}</summary>
              ${list(others)}
            </details>`
      }
    </section>
    ${
      past.file === null
        ? nothing
        : html`<div class="viewer">
            <div class="bar">
              <code class="path">${isolated(past.file.path)}</code>
              <small>${p.asItWas}</small>
              <button
                type="button"
                class="quiet small"
                title=${p.asItIsNow}
                @click=${() => {
                  app.showTab('files');
                  void app.control.files.show(past.file?.path ?? '');
                }}
              >
                ${icon('pen')}<span class="sr">${p.asItIsNow}</span>
              </button>
            </div>
            <div class="editor"></div>
          </div>`
    }`;
}

function pastFile(file: FileAfter, state: State, { control }: App): TemplateResult {
  const { path, change } = file;
  return html`<li>
    <button
      type="button"
      data-past=${path}
      aria-current=${state.past?.file?.path === path ? 'true' : 'false'}
      @click=${() => void control.past.show(file)}
    >
      ${icon('file')} <span class="name">${isolated(path)}</span>
      ${change === null ? nothing : html`<span class="badge ${change}">${partTexts(state).fileChanges[change]}</span>`}
    </button>
  </li>`;
}

/** Loads older steps. It remains in place while loading, so that it keeps the keyboard's focus. */
function olderButton({ conversation }: State, control: App['control']): TemplateResult {
  const { isReading } = conversation;
  return html`<p class="older">
    <button
      type="button"
      class="quiet framed small"
      data-older
      aria-busy=${isReading ? 'true' : 'false'}
      @click=${() => void control.showOlder()}
    >
      ${isReading ? html`<span class="spinner"></span>` : icon('clock')} ${t.showOlder}
    </button>
  </p>`;
}

/** What a command has done, in words; the name of one that has none. */
function commandWords(name: string, app: App): TemplateResult {
  const words = commandText(name, true, app);
  return words === undefined ? html`<code>${name}</code>` : html`<span class="words">${words}</span>`;
}

function duration(milliseconds: number): string {
  if (milliseconds < 1) return '< 1 ms';
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}
