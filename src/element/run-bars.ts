import { html, nothing, type TemplateResult } from 'lit';
import { changesView, conflictView, type ChangesActions } from './changes-view.js';
import type { Chat } from './chat.js';
import type { ChatWords } from './words.js';

/** Returns the bars of the runs, by the place of their last entry. The run in progress has none yet. */
export function runBars(
  chat: Chat | null,
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
export function otherConflictView(chat: Chat | null, words: ChatWords): TemplateResult | typeof nothing {
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

function actionsOf(chat: Chat, request: string): ChangesActions {
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
