import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { App } from '../app.js';
import { roleNames } from '../agent-config.js';
import type { State } from '../state/app-state.js';
import {
  commandsBeingWritten,
  failureIn,
  isReply,
  type Entry,
  type Live,
  type Notice,
} from '../state/conversation.js';
import { changesOf, stepEntries, type FileChanges } from '../state/step-entries.js';
import { isTeam } from '../state/session-names.js';
import { writingOf, type Writing } from '../state/writing.js';
import { t } from '../text/index.js';
import { isolated } from './bidi.js';
import { commandView, commandWords, replyView, shortened } from './command.js';
import { icon } from './icons.js';

/** Maximum number of characters of streaming text; users watch its end. */
const LIVE_TAIL = 1_500;

/** The entries of the conversation, oldest first, and streaming text at the end. */
export function conversationView(state: State, app: App): TemplateResult {
  const { control } = app;
  const { entries, live } = state.conversation;
  const hidden = Math.max(0, entries.length - state.shown);
  const [leader] = roleNames(isTeam(state.session));
  const undo = (step: string): void => void control.undo(step);
  const traces = stepEntries(entries, state.steps);
  const lookedAt = state.cursor === null ? undefined : state.steps[state.cursor];
  // The card with the button to continue shows it.
  const shown = state.paused?.why === 'failed' && failureIn(state.conversation) !== null ? -1 : undefined;
  return html`
    ${hidden > 0 || state.hasOlder ? olderButton(state, control) : nothing}
    ${repeat(
      entries.slice(hidden, shown),
      (_, index) => hidden + index - state.older,
      (entry, index) => {
        const isLast = hidden + index === entries.length - 1;
        const trace = traces.get(entry);
        const changes = trace === undefined ? null : changesOf(trace, state.history);
        const marked = trace !== undefined && trace === lookedAt;
        const undoable = changes !== null && state.runningSince === null;
        return guard([entry, isLast, changes?.step, changes?.undone, undoable, marked, t], () =>
          entryView(entry, {
            isLast,
            marked,
            changes: undoable || changes?.undone === true ? changes : null,
            undo,
            leader,
            isShown: (text) => entries.some((each) => isReply(each, text)),
          }),
        );
      },
    )}
    ${live === null ? nothing : liveView(live)}
  `;
}

/** Loads older entries. It remains in place while loading, so that it keeps the keyboard's focus. */
export function olderButton({ fetching }: State, control: App['control']): TemplateResult {
  return html`<p class="older">
    <button
      type="button"
      class="quiet framed small"
      data-older
      aria-busy=${fetching ? 'true' : 'false'}
      @click=${() => void control.showOlder()}
    >
      ${fetching ? html`<span class="spinner"></span>` : icon('clock')} ${t.showOlder}
    </button>
  </p>`;
}

interface EntryContext {
  isLast: boolean;
  /** The timeline shows this step. */
  marked: boolean;
  /** Changes that can be undone, or were undone. */
  changes: FileChanges | null;
  undo: (step: string) => void;
  /** The role that receives the user's requests. */
  leader: string;
  /** The user was shown this text as a reply. */
  isShown: (text: string) => boolean;
}

function entryView(entry: Entry, context: EntryContext): TemplateResult {
  const { isLast, marked, changes, undo, isShown, leader } = context;
  switch (entry.kind) {
    case 'request':
      return html`<div class="request" data-entry="request">
        <span class="who">${t.you}</span><span class="request-text">${shortened(entry.text)}</span>
      </div>`;
    case 'reply':
      return replyView(entry.text, entry.role);
    case 'recalled':
      return html`<p class="aside">${icon('memory')} ${t.remembered(entry.count)}</p>`;
    case 'notice':
      return entry.tone === 'error'
        ? noticeView(entry)
        : html`<p class="aside warning" data-entry="notice" role="note">
            ${icon('warn')} <span>${entry.text || t.limitReached}</span>
          </p>`;
    case 'step':
      return html`<section
        class="step ${marked ? 'looked-at' : ''}"
        data-entry="step"
        aria-label="${entry.role}: ${t.step}"
      >
        ${
          entry.thought === ''
            ? nothing
            : html`<details class="thought" ?open=${isLast}>
                <summary>
                  ${entry.role === 'Zero' ? t.thought : `${entry.role} · ${t.thought}`}
                  <span class="about" aria-hidden="true">${firstLine(entry.thought)}</span>
                </summary>
                <p>${entry.thought}</p>
              </details>`
        }
        ${
          entry.commands.length === 0 && (entry.id !== null || !isLast)
            ? html`<p class="aside">${t.noCommands}</p>`
            : entry.commands.map((command) =>
                commandView(command, entry.role, { isShown, isLeader: entry.role === leader }),
              )
        }
        ${changes === null ? nothing : undoView(changes, undo)}
      </section>`;
  }
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0]?.slice(0, 200) ?? '';
}

/** Undoes the file changes of a step. */
function undoView({ step, paths, undone }: FileChanges, undo: (step: string) => void): TemplateResult {
  if (undone) return html`<p class="aside undo">${icon('undo')} ${t.undone}: ${paths.join(', ')}</p>`;
  return html`<p class="undo">
    <button
      type="button"
      class="quiet small"
      title=${t.undoStep}
      data-undo=${step}
      @click=${() => undo(step)}
    >
      ${icon('undo')} ${t.undo}<span class="sr">: ${paths.join(', ')}</span>
    </button>
  </p>`;
}

/** An error: its cause in one sentence, advice, and folded what exactly happened. `actions`: buttons, and what they concern. */
export function noticeView(
  { code, text, advice = code }: Omit<Notice, 'kind' | 'tone'>,
  actions: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const words = t.advice[advice] ?? '';
  const cause = t.causes[advice];
  const details = html`<code>${code}</code>`;
  return html`<div class="notice error" data-entry="notice" role="alert">
    ${icon('warn')}
    <div>
      <p><strong>${cause ?? text}</strong></p>
      ${words === '' ? nothing : html`<p>${words}</p>`} ${actions}
      ${
        cause === undefined
          ? html`<p class="error-code">${details}</p>`
          : html`<details class="error-code">
              <summary>${t.errorDetails}</summary>
              <p>${text} ${details}</p>
            </details>`
      }
    </div>
  </div>`;
}

function liveView(live: Live): TemplateResult {
  const { role, purpose, text, reasoning } = live;
  const aside = (t.asides as Partial<Record<Live['purpose'], string>>)[purpose];
  if (aside !== undefined)
    return html`<p class="aside" aria-live="off"><span class="spinner"></span> ${aside}</p>`;
  const writing = writingOf(commandsBeingWritten(live));
  return html`<section class="step live" aria-live="off" aria-label=${t.beingWritten}>
    <details class="thought" open>
      <summary>
        <span class="spinner"></span> ${role === 'Zero' ? t.thinking : `${role} · ${t.thinking}`}
      </summary>
      ${reasoning === '' ? nothing : html`<p class="reasoning">${reasoning.slice(-LIVE_TAIL)}</p>`}
      <p>${text}<span class="caret"></span></p>
    </details>
    ${writing === null ? nothing : writingView(writing)}
  </section>`;
}

/** The command that the model is writing, in words. */
function writingView({ name, about, lines }: Writing): TemplateResult {
  return html`<p class="writing">
    <span class="spinner"></span> ${commandWords(name, false)} <span class="about">${isolated(about)}</span>
    ${lines === 0 ? nothing : html`<span class="lines">${t.lines(lines)}</span>`}
  </p>`;
}
