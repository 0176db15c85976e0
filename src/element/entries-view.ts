import { html, type TemplateResult, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { runBars } from './changes-view.js';
import type { ChatController } from './chat.js';
import { failedCommands, isReply } from './conversation.js';
import type { ConversationView } from './followed-conversation.js';
import { icon } from './icons.js';
import type { RequestEditor } from './request-editor.js';
import { entryView } from './views.js';
import type { ChatWords } from './words.js';

/** What the entries depend on besides themselves. */
export interface EntriesContext {
  words: ChatWords;
  chat: ChatController | null;
  editor: RequestEditor;
  /** See `RoleZeroChat`. */
  roles: readonly string[];
  selected: string | null;
  /** Place of the shown match of the search. */
  found: number | undefined;
  /** The list of files, which closes the work. */
  files: TemplateResult;
  /** It is that of the element. */
  hasOwnFiles: boolean;
}

/** The newest entries of the conversation, each with the bar of the run that ends with it. Only entries that have changed are drawn again. */
export function entriesView(
  { entries, shown, older }: ConversationView,
  { words, chat, editor, roles, selected, found, files, hasOwnFiles }: EntriesContext,
): unknown {
  const hidden = Math.max(0, entries.length - shown);
  const run = chat?.run;
  const isIdle = run !== undefined && !run.running && run.question === null;
  const canChange = isIdle && chat?.session.viewing === false;
  const paths = chat?.state.files;
  const versions = chat?.state.versions;
  const urlOf = (path: string): string | undefined => chat?.thumbnails.urlOf(path);
  const bar = runBars(chat, words, !canChange);
  return repeat(
    entries.slice(hidden),
    (_, index) => hidden + index - older,
    (entry, index) => {
      const isLast = hidden + index === entries.length - 1;
      const isSelected = entry.id !== null && entry.id === selected;
      const failed = failedCommands(entries, hidden + index);
      const view = guard(
        [
          entry,
          words,
          failed,
          isLast,
          isSelected,
          roles,
          isLast ? paths : null,
          isLast && hasOwnFiles,
          ...(entry.kind === 'request'
            ? [...editor.stateOf(entry.id, canChange), versions, ...(entry.files ?? []).map(urlOf)]
            : []),
        ],
        () =>
          entryView(entry, {
            words,
            isLast,
            isSelected,
            leader: roles[0] ?? '', // empty when its name is not shown
            isAlone: roles.length < 2,
            isShown: (text) => entries.some((each) => isReply(each, text)),
            failed,
            result: files,
            request: entry.id === null ? null : editor.actionsOf(entry.id, canChange),
            urlOf,
          }),
      );
      const isFound = hidden + index === found;
      return html`<div class="place ${isFound ? 'found' : ''}">${view}</div>
        ${bar(hidden + index)}`;
    },
  );
}

/** A button that shows earlier entries, where there are any. */
export function olderView(
  { entries, shown, hasOlder, isReading }: ConversationView,
  words: ChatWords,
  show: () => Promise<void>,
): TemplateResult | typeof nothing {
  if (!hasOlder && entries.length <= shown) return nothing;
  return html`<div class="row older">
    <button
      type="button"
      class="quiet"
      part="older"
      data-older
      aria-busy=${isReading ? 'true' : 'false'}
      @click=${(event: Event) => void showFrom(event.currentTarget as HTMLElement, show)}
    >
      ${isReading ? html`<span class="spinner"></span>` : icon('clock')} ${words.showOlder}
    </button>
  </div>`;
}

/** Shows earlier entries. The button is gone with the last of them: the log then has its focus. */
async function showFrom(button: HTMLElement, show: () => Promise<void>): Promise<void> {
  const log = button.closest<HTMLElement>('.log');
  const hasFocus = button.matches(':focus');
  await show();
  if (hasFocus && !button.isConnected) log?.focus({ preventScroll: true });
}

/** Offers to continue interrupted work. */
export function interruptedView(words: ChatWords, resume: () => void): TemplateResult {
  return html`<div class="interrupted" part="interrupted">
    ${words.interrupted}
    <button type="button" class="main" part="resume" @click=${resume}>${words.resume}</button>
  </div>`;
}
