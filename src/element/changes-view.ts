import { html, nothing, type TemplateResult } from 'lit';
import type { ConflictChoice, FileConflict, FileDiff } from '../core/files.js';
import type { ChatController } from './chat.js';
import type { OpenConflict, RunChanges } from './file-changes.js';
import { icon } from './icons.js';
import { isolated } from './isolated.js';
import type { ChatWords } from './words.js';

/** Maximum number of lines of one file that are shown. */
const MAX_LINES = 500;

/** Returns the bars of the runs, by the place of their last entry. The run in progress has none yet. */
export function runBars(
  chat: ChatController | null,
  words: ChatWords,
  /** Nothing can be changed. */
  isFixed: boolean,
): (index: number) => TemplateResult | typeof nothing {
  if (chat === null) return () => nothing;
  const { changes, run } = chat;
  const { entries, steps } = chat.state.conversation;
  const runs = changes.ofRuns({ entries, steps, history: changes.history });
  return (index) => {
    const changed = runs.get(index);
    if (changed === undefined || (run.running && index === entries.length - 1)) return nothing;
    const { request } = changed;
    const conflict = changes.conflict?.request === request ? changes.conflict : null;
    const state = { words, run: changed, diffs: changes.diffs.get(request), conflict, isFixed };
    return changesView(state, actionsOf(chat, request));
  };
}

/** The conflict of an undo that no bar shows: it was of a step, or of a run whose entries are not read. */
export function otherConflictView(
  chat: ChatController | null,
  words: ChatWords,
): TemplateResult | typeof nothing {
  const conflict = chat?.changes.conflict ?? null;
  if (chat === null || conflict === null) return nothing;
  const { changes } = chat;
  const { entries, steps } = chat.state.conversation;
  const runs = [...changes.ofRuns({ entries, steps, history: changes.history }).values()];
  if (runs.some(({ request }) => request === conflict.request)) return nothing;
  return html`<section class="changes" part="changes">
    ${conflictView(conflict, words, actionsOf(chat, conflict.request))}
  </section>`;
}

function actionsOf(chat: ChatController, request: string): ChangesActions {
  const { changes } = chat;
  const act = (work: () => unknown): void => void chat.attempt(work);
  return {
    toggle: () => act(() => (changes.diffs.has(request) ? changes.hide(request) : changes.show(request))),
    act: (what, path) => act(() => changes.act(what, request, path)),
    solve: (choice) =>
      act(
        () => changes.conflict && changes.act(changes.conflict.act, request, changes.conflict.path, choice),
      ),
    dismiss: () => changes.dismiss(),
  };
}

/** What the view of the changes of a run depends on. */
interface ChangesState {
  words: ChatWords;
  run: RunChanges;
  /** Its changed lines; undefined while they are folded. */
  diffs: readonly FileDiff[] | undefined;
  conflict: OpenConflict | null;
  /** Nothing can be changed, such as while the agent works. */
  isFixed: boolean;
}

/** What the user does with them. */
interface ChangesActions {
  toggle: () => void;
  act: (act: OpenConflict['act'], path?: string) => void;
  solve: (choice: ConflictChoice) => void;
  dismiss: () => void;
}

/** A bar with the number of changed files, which opens the changed lines. Each file, and the whole run, has Undo or Redo. */
function changesView(state: ChangesState, actions: ChangesActions): TemplateResult {
  const { words, run, diffs, conflict, isFixed } = state;
  const isOpen = diffs !== undefined;
  const isUndone = run.files.every(({ undone }) => undone);
  return html`<section
    class="changes"
    part="changes"
    data-entry="changes"
    aria-label=${words.changedFiles(run.files.length)}
  >
    <div class="row">
      <button
        type="button"
        class="quiet"
        part="show-changes"
        aria-expanded=${isOpen ? 'true' : 'false'}
        @click=${actions.toggle}
      >
        ${icon(isOpen ? 'down' : 'right')} ${words.changedFiles(run.files.length)}
      </button>
      ${isFixed ? nothing : reversalView(words, isUndone, run.files.length > 1 ? words.allFiles : (run.files[0]?.path ?? ''), (act) => actions.act(act))}
    </div>
    ${conflict === null ? nothing : conflictView(conflict, words, actions)}
    ${isOpen ? run.files.map((file) => fileView(file, diffs, state, actions)) : nothing}
  </section>`;
}

/** Undo, or Redo where it is done. `what`: for screen readers. */
function reversalView(
  words: ChatWords,
  isUndone: boolean,
  what: string,
  act: (act: OpenConflict['act']) => void,
): TemplateResult {
  const name = isUndone ? 'redo' : 'undo';
  return html`<button type="button" class="quiet" part=${name} @click=${() => act(name)}>
    ${icon(name)} ${words[name]}<span class="sr">: ${what}</span>
  </button>`;
}

function fileView(
  { path, undone }: RunChanges['files'][number],
  diffs: readonly FileDiff[],
  { words, run, isFixed }: ChangesState,
  actions: ChangesActions,
): TemplateResult {
  const diff = diffs.find((each) => each.path === path);
  return html`<div class="changed-file ${undone ? 'undone' : ''}" part="changed-file">
    <div class="row">
      <span class="about">${isolated(path)}</span>
      ${
        diff === undefined
          ? nothing
          : html`<span class="lines" aria-label=${words.changedLines(diff.added, diff.removed)}
              ><span class="added">+${diff.added}</span> <span class="removed">−${diff.removed}</span></span
            >`
      }
      ${undone ? html`<span class="lines">${words.undone}</span>` : nothing}
      ${isFixed || run.files.length === 1 ? nothing : reversalView(words, undone, path, (act) => actions.act(act, path))}
    </div>
    ${diff === undefined ? nothing : linesView(diff, words)}
  </div>`;
}

/** The changed lines. Colors are not the only sign: each line begins with its own. */
function linesView({ path, parts }: FileDiff, words: ChatWords): TemplateResult {
  if (parts === null) return html`<p class="aside">${words.noLines}</p>`;
  const lines = parts.flatMap((part, index) => [...(index === 0 ? [] : ['…']), ...part.lines]);
  const more = lines.length - MAX_LINES;
  return html`<pre class="diff" part="diff" tabindex="0" role="group" aria-label=${path}>
${lines
  .slice(0, MAX_LINES)
  .map(diffLine)}${more > 0 ? html`<span class="line">${words.moreLines(more)}</span>` : nothing}</pre>`;
}

function diffLine(line: string): TemplateResult {
  if (line.startsWith('+')) return html`<ins class="line">${line}</ins>`;
  if (line.startsWith('-')) return html`<del class="line">${line}</del>`;
  return html`<span class="line">${line}</span>`;
}

/** What the user has changed in the same lines, and what to do about it. */
function conflictView(
  { conflicts }: OpenConflict,
  words: ChatWords,
  { solve, dismiss }: Pick<ChangesActions, 'solve' | 'dismiss'>,
): TemplateResult {
  const can = (choice: ConflictChoice): boolean => conflicts.every(({ choices }) => choices.includes(choice));
  const labels: [ConflictChoice, string][] = [
    ['now', words.keepNow],
    ['restored', words.takeRestored],
    ['both', words.keepBoth],
  ];
  return html`<div class="conflict" part="conflict" role="alert">
    <p><strong>${words.conflict(conflicts.map(({ path }) => path))}</strong></p>
    ${conflicts.map((conflict) => conflictLines(conflict, words))}
    <div class="row">
      ${labels.map(([choice, label]) =>
        can(choice)
          ? html`<button type="button" part="solve" data-choice=${choice} @click=${() => solve(choice)}>
              ${label}
            </button>`
          : nothing,
      )}
      <button type="button" class="quiet" part="cancel-undo" @click=${dismiss}>${words.cancel}</button>
    </div>
  </div>`;
}

function conflictLines({ path, places }: FileConflict, words: ChatWords): TemplateResult | typeof nothing {
  if (places.length === 0) return nothing;
  return html`<pre class="diff" tabindex="0" role="group" aria-label=${words.conflict([path])}>
${places.map(
  ({ now, restored }) =>
    html`<span class="line">${path}</span>${now.map((line) => diffLine(`-${line}`))}${restored.map((line) =>
        diffLine(`+${line}`),
      )}`,
)}</pre>`;
}
