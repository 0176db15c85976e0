import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { commandsBeingWritten, isReply, type Entry, type Live } from '../state/conversation.js';
import { changesOf, stepEntries, type FileChanges } from '../state/step-entries.js';
import { writingOf, type Writing } from '../state/writing.js';
import { t } from '../text/index.js';
import { adviceView } from './advice.js';
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
  const undo = (step: string): void => void control.undo(step);
  const traces = stepEntries(entries, state.steps);
  const lookedAt = state.cursor === null ? undefined : state.steps[state.cursor];
  return html`
    ${hidden > 0 || state.hasOlder ? olderButton(state, control) : nothing}
    ${repeat(
      entries.slice(hidden),
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
            isShown: (text) => entries.some((each) => isReply(each, text)),
            advice: (code) => adviceView(code, app),
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
  /** The user was shown this text as a reply. */
  isShown: (text: string) => boolean;
  /** The button for an error. */
  advice: (code: string) => TemplateResult | typeof nothing;
}

function entryView(entry: Entry, context: EntryContext): TemplateResult {
  const { isLast, marked, changes, undo, isShown, advice } = context;
  switch (entry.kind) {
    case 'request':
      return html`<div class="request" data-entry="request">
        <span class="who">${t.you}</span><span class="said">${shortened(entry.text)}</span>
      </div>`;
    case 'reply':
      return replyView(entry.text, entry.role);
    case 'recalled':
      return html`<p class="aside">${icon('memory')} ${t.remembered(entry.count)}</p>`;
    case 'notice':
      return noticeView(
        entry.tone,
        entry.isRateLimit === true ? 'rate-limit' : entry.code,
        entry.text || t.limitReached,
        isLast && entry.tone === 'error' && entry.isRateLimit !== true ? advice(entry.code) : nothing,
      );
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
            : entry.commands.map((command) => commandView(command, entry.role, isShown))
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

/** A notice for the user, with advice. */
export function noticeView(
  tone: 'info' | 'warning' | 'error',
  code: string,
  text: string,
  button: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const advice = tone === 'error' ? (t.advice[code] ?? '') : ''; // The agent handles warnings itself.
  return html`<div class="notice ${tone}" data-entry="notice" role=${tone === 'error' ? 'alert' : 'note'}>
    ${icon('warn')}
    <div>
      <p>${text} <code class="code">${code}</code></p>
      ${advice === '' ? nothing : html`<p class="advice">${advice}</p>`} ${button}
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
