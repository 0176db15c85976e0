import type { AgentEvent, Session } from 'rolezero';
import type { FileControl } from './file-control.js';
import type { MemoryControl } from './memory-control.js';
import type { NoteControl } from './note-control.js';
import type { PastControl } from './past-control.js';
import type { State, Store, Tab } from './state/app-state.js';
import { MORE } from './state/more-tabs.js';
import { tourIn } from './state/session-names.js';

/** Controls of the parts of the workbench. */
export interface WorkbenchParts {
  files: FileControl;
  past: PastControl;
  memories: MemoryControl;
  notes: NoteControl;
}

/** The workbench of a session in which the user has chosen nothing yet. */
export const unchosenWorkbench = {
  workbench: null,
  tab: 'files',
  tabIsOwn: false,
  newestTab: null,
  pageIsReady: false,
} as const;

/** The tabs of the workbench: which one is shown, and its content. */
export class WorkbenchControl {
  constructor(
    private readonly store: Store,
    private readonly session: () => Session | null,
    private readonly guarded: (work: () => Promise<unknown>) => Promise<void>,
    private readonly parts: WorkbenchParts,
    /** Loads the views of the parts under "More". Returns whether they were not loaded before. */
    private readonly loadViews: () => Promise<boolean>,
  ) {}

  /** Loads the content of a part when it is shown. */
  async shown(): Promise<void> {
    const { tab } = this.store.state;
    const { files, past, memories, notes } = this.parts;
    const moreTab = MORE.find((name) => name === tab);
    if (moreTab !== undefined) {
      this.store.update({ moreTab });
      void this.guarded(() => this.#loadViews());
    }
    if (tab === 'files') files.looked();
    if (tab === 'timeline') await past.look();
    if (tab === 'memory') await this.guarded(() => memories.list());
    if (tab === 'notes') await notes.list();
    if (tab === 'team') await this.guarded(() => this.#inspect());
  }

  /** Returns the tabs after an event: the part in which something happens, unless the user has chosen one. */
  tabsAfter(event: AgentEvent): Pick<State, 'tab' | 'newestTab'> {
    const { written, tab, tabIsOwn, newestTab, session } = this.store.state;
    const worked = tourIn(session) === null ? workOf(event, written !== null) : null;
    if (worked === null) return { tab, newestTab };
    return { tab: tabIsOwn ? tab : worked, newestTab: worked };
  }

  /** Shows the newest work again, after the user has looked at another part. */
  followAgain(): void {
    const { newestTab, tab } = this.store.state;
    this.store.update({ tabIsOwn: false, tab: newestTab ?? tab });
    void this.shown();
  }

  /** Shows the page that a run has built or opened, if there is one. */
  async showResult(): Promise<void> {
    if (!(await this.parts.files.openResult())) return;
    this.store.update({ newestTab: 'preview', pageIsReady: this.store.state.pane !== 'work' });
    if (!this.store.state.tabIsOwn) this.store.update({ tab: 'preview' });
  }

  /** Shows the page of a session that was opened again. `isFirst`: which part the user wants to see is not known. */
  async showAgain(isFirst: boolean): Promise<void> {
    if (!(await this.parts.files.openLast())) return;
    if (isFirst && !this.store.state.tabIsOwn) this.store.update({ tab: 'preview' });
  }

  /** Loads what is stored for the parts. */
  async load(): Promise<void> {
    const session = this.session();
    if (session === null) return;
    const { memories, notes } = this.parts;
    const [usage, history] = await Promise.all([
      session.usage(),
      session.files.history(),
      memories.list(),
      notes.list(),
    ]);
    if (session !== this.session()) return;
    this.store.update({ usage, history });
    await this.shown();
  }

  /** Reloads history, memories and the shown part. */
  async refresh(): Promise<void> {
    const session = this.session();
    if (session === null) return;
    await this.guarded(async () => {
      await this.#readHistory(session);
      if (session !== this.session()) return;
      await this.parts.memories.list();
      if (this.store.state.tab !== 'memory') await this.shown();
    });
  }

  /** Reloads what can be undone: between runs the user changes files, undoes steps, and repeats them. */
  async refreshHistory(): Promise<void> {
    const session = this.session();
    if (session !== null) await this.guarded(() => this.#readHistory(session));
  }

  async #readHistory(session: Session): Promise<void> {
    const history = await session.files.history();
    if (session === this.session()) this.store.update({ history });
  }

  async #loadViews(): Promise<void> {
    if (await this.loadViews()) this.store.update({}); // Shows the part.
  }

  async #inspect(): Promise<void> {
    const session = this.session();
    const inspection = await session?.inspect();
    if (session === this.session() && inspection !== undefined) this.store.update({ inspection });
  }
}

/** The part of the workbench that shows the work of an event; null for events without one. */
function workOf(event: AgentEvent, isWriting: boolean): Tab | null {
  switch (event.type) {
    case 'reply-delta':
      return isWriting ? 'files' : null;
    case 'command-start':
      return event.name.startsWith('Terminal.') ? 'terminal' : null;
    case 'file-changed':
      return event.by === 'agent' ? 'files' : null;
    case 'page-changed':
      return 'preview';
    default:
      return null;
  }
}
