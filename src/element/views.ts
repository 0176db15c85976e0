import { html, nothing, type TemplateResult } from 'lit';
import type { RunFacts } from '../core/events.js';
import { onlyTalks } from '../core/role-command-names.js';
import { actionView, commandView, replyView, shortText } from './command-view.js';
import type { Entry, Live, Notice } from './conversation.js';
import { icon } from './icons.js';
import { isolated } from './isolated.js';
import { requestView, type RequestActions, type WaitingActions } from './request-view.js';
import { isImage } from './shown-request.js';
import type { ChatWords } from './words.js';
import { commandBeingWritten, type WrittenCommand } from './writing.js';

/** Maximum number of characters of streaming text; users watch its end. */
const LIVE_TAIL = 1_500;

/** What the view of an entry depends on besides itself. */
export interface EntryContext {
  words: ChatWords;
  isLast: boolean;
  /** What can be done with it, if it is a request. */
  request: RequestActions | WaitingActions | null;
  /** Returns the address of an attached image, once it is known. */
  urlOf: (path: string) => string | undefined;
  /** The page has selected this step. */
  isSelected: boolean;
  /** The role that receives the user's requests; empty when names of roles are not shown. */
  leader: string;
  /** There is one role. */
  isAlone: boolean;
  /** The user was shown this text as a reply. */
  isShown: (text: string) => boolean;
  /** Number of commands that failed in the last step that worked, up to this entry. */
  failed: number;
  /** The end of the card that closes the work. */
  result: TemplateResult | typeof nothing;
}

export function entryView(entry: Entry, context: EntryContext): TemplateResult | typeof nothing {
  const { words, isLast } = context;
  switch (entry.kind) {
    case 'request':
      return requestView(
        entry.text,
        words,
        context.request,
        attachedView(entry.files ?? [], (path) => (isImage(path) ? context.urlOf(path) : undefined)),
      );
    case 'reply':
      return replyView(entry.text, context.leader === '' ? '' : entry.role, words);
    case 'recalled':
      return html`<p class="aside">${icon('memory')} ${words.recalled(entry.count)}</p>`;
    case 'notice':
      return entry.tone === 'error'
        ? errorView(entry, words, isLast ? html`<slot name="failure"></slot>` : nothing)
        : html`<p class="aside warning" part="warning" data-entry="notice" role="note">
            ${icon('warn')}
            <span
              >${entry.commands === undefined ? words.warning(entry) : words.effectsRemain(entry.commands)}</span
            >
          </p>`;
    case 'step':
      return stepView(entry, context);
  }
}

function stepView(
  { id, role, thought, commands }: Entry & { kind: 'step' },
  { words, isLast, isSelected, leader, isAlone, isShown, failed, result }: EntryContext,
): TemplateResult {
  const rows = commands.map((command) =>
    commandView(command, {
      words,
      role,
      speaker: leader === '' ? '' : role,
      isShown,
      isLeader: isLeading(role, leader),
      failed,
      result: isLast ? result : nothing,
    }),
  );
  const work = commands.findLastIndex(({ name }) => !onlyTalks(name)) + 1 || rows.length;
  const slot = id === null ? nothing : html`<slot name="step-${id}"></slot>`; // beside the work, before the words about it
  return html`<div
    class="step ${isSelected ? 'selected' : ''}"
    part="step"
    data-entry="step"
    role="group"
    aria-label="${role === '' ? '' : `${role}: `}${words.step}"
  >
    ${
      thought === ''
        ? nothing
        : html`<details class="thought" part="thought" ?open=${isLast}>
            <summary>
              ${isAlone ? nothing : `${role} · `}${words.thought}
              <span class="about" aria-hidden="true">${firstLine(thought)}</span>
            </summary>
            <p>${shortText(thought, words)}</p>
          </details>`
    }
    ${
      commands.length === 0 && (id !== null || !isLast)
        ? html`<p class="aside">${words.noCommands}</p>`
        : rows.slice(0, work)
    }
    ${slot} ${rows.slice(work)}
  </div>`;
}

/** Returns whether a role reports to the user. `leader`: see `EntryContext`. */
function isLeading(role: string, leader: string): boolean {
  return leader === '' || role === leader;
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0]?.slice(0, 200) ?? '';
}

/** An error: its cause in one sentence, advice, and folded what exactly happened. `actions`: what to do about it. */
export function errorView(
  { code, text, advice: key = code }: Pick<Notice, 'code' | 'text' | 'advice'>,
  words: ChatWords,
  actions: TemplateResult | typeof nothing,
): TemplateResult {
  const { cause, advice = '' } = words.error(key);
  const exactly = code === '' ? nothing : html`<code>${code}</code>`;
  return html`<div class="notice error" part="error" data-entry="notice" role="alert">
    ${icon('warn')}
    <div>
      <p><strong>${cause ?? text}</strong></p>
      ${advice === '' ? nothing : html`<p>${advice}</p>`} ${actions}
      ${
        cause === undefined
          ? html`<p class="error-code">${exactly}</p>`
          : html`<details class="error-code">
              <summary>${words.errorDetails}</summary>
              <p>${text} ${exactly}</p>
            </details>`
      }
    </div>
  </div>`;
}

/** What a model is streaming. `isAlone`: there is one role. */
export function liveView(live: Live, words: ChatWords, isAlone: boolean): TemplateResult {
  const { role, purpose, text, reasoning } = live;
  const aside = words.asides[purpose];
  if (aside !== undefined)
    return html`<p class="aside" aria-live="off"><span class="spinner"></span> ${aside}</p>`;
  const writing = commandBeingWritten(live.reply);
  return html`<section class="step live" part="live" aria-live="off" aria-label=${words.beingWritten}>
    <details class="thought" part="thought" open>
      <summary><span class="spinner"></span> ${isAlone ? nothing : `${role} · `}${words.thinking}</summary>
      ${reasoning === '' ? nothing : html`<p class="reasoning">${reasoning.slice(-LIVE_TAIL)}</p>`}
      <p>${text}<span class="caret"></span></p>
    </details>
    ${writing === null ? nothing : writingView(writing, words)}
  </section>`;
}

/** The command that the model is writing, in words. */
function writingView({ name, about, text }: WrittenCommand, words: ChatWords): TemplateResult {
  return html`<p class="writing">
    <span class="spinner"></span> ${actionView(words.action(name, false), name)}
    <span class="about">${isolated(about)}</span>
    ${text === null ? nothing : html`<span class="lines">${words.lines(text.split('\n').length)}</span>`}
  </p>`;
}

/** The last step ends with a card, which then has the files. */
export function endsWithCard(entries: readonly Entry[], leader: string): boolean {
  const last = entries.at(-1);
  if (last?.kind !== 'step' || !isLeading(last.role, leader)) return false;
  return last.commands.some(({ name, state }) => name === 'end' && state === 'ok');
}

/** What happened in a run; nothing for an answer without any command. */
export function factsView(facts: RunFacts | null, words: ChatWords): TemplateResult | typeof nothing {
  if (facts === null || facts.commands === 0) return nothing;
  return html`<p class="aside" part="facts" data-entry="facts">${words.facts(facts)}</p>`;
}

export function filesView(
  files: readonly string[],
  words: ChatWords,
  open: (path: string) => void,
): TemplateResult {
  return html`<div class="row" part="files" role="group" aria-label=${words.files}>
    ${files.map(
      (path) =>
        html`<button type="button" part="file" aria-label=${words.download(path)} @click=${() => open(path)}>
          ${isolated(path)}
        </button>`,
    )}
  </div>`;
}

/** The files of a request in its bubble: images small, others by name. `urlOf` returns the address of an image, once it is known. */
function attachedView(
  files: readonly string[],
  urlOf: (path: string) => string | undefined,
): TemplateResult | typeof nothing {
  if (files.length === 0) return nothing;
  return html`<div class="row attached" part="attached">
    ${files.map((path) => {
      const url = urlOf(path);
      const name = path.split('/').at(-1) ?? path;
      return url === undefined
        ? html`<span class="chip" title=${path}>${isolated(name)}</span>`
        : html`<img class="thumbnail" src=${url} alt=${name} title=${path} />`;
    })}
  </div>`;
}
