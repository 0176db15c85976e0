import { html, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Chat } from './chat.js';
import { failedCommands, isReply } from './conversation.js';
import type { ConversationView } from './followed-conversation.js';
import type { RequestEditor } from './request-editor.js';
import { runBars } from './run-bars.js';
import { entryView } from './views.js';
import type { ChatWords } from './words.js';

/** What the entries depend on besides themselves. */
export interface EntriesContext {
  words: ChatWords;
  chat: Chat | null;
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
