import type { AgentEvent, Session } from 'rolezero';
import type { ConversationView } from 'rolezero/element';
import { roleNames } from './agent-config.js';
import type { FileControl } from './file-control.js';
import type { NoteControl } from './note-control.js';
import type { SessionList } from './session-list.js';
import type { State, Store } from './state/app-state.js';
import { isTeam, tourIn } from './state/session-names.js';
import { saveSettings } from './state/settings.js';
import { shellLines } from './state/shell-lines.js';
import { t } from './text/index.js';
import type { TourControl } from './tour-control.js';
import type { WorkbenchControl } from './workbench-control.js';

/** Controls that act on events. */
interface EventParts {
  files: FileControl;
  notes: NoteControl;
  all: SessionList;
  tour: TourControl;
  workbench: WorkbenchControl;
  /** Shows what is stored now: the conversation went back, or to another branch. */
  showPast(): Promise<void>;
  /** Why the work of the session is not finished; null when it is. */
  pauseOf(session: Session, at: number | null): State['paused'];
}

/** The command that loads a page. Others use the loaded one, which then shows older files. */
const OPENS_PAGE = 'Browser.goto';

/** Shows the events of the open session. The conversation already contains them. */
export class EventControl {
  /** What the model was streaming at the last delta. */
  #live: ConversationView['live'] = null;

  constructor(
    private readonly store: Store,
    private readonly session: () => Session | null,
    private readonly parts: EventParts,
  ) {}

  show(event: AgentEvent): void {
    const { state } = this.store;
    const { workbench } = this.parts;
    const change: Partial<State> = { ...workbench.tabsAfter(event), ...this.#changeOf(event) };
    this.store.update(change);
    if (change.tab !== state.tab) void workbench.shown();
  }

  /** Acts on an event, and returns what it changes. */
  #changeOf(event: AgentEvent): Partial<State> {
    const { state } = this.store;
    switch (event.type) {
      case 'run-start':
        return { runningSince: Date.now(), paused: null, pageIsReady: false };
      case 'call-start':
        return { promptTokens: event.promptTokens };
      case 'model-progress':
        return {
          loading: {
            phase: event.phase,
            share: event.total === 0 ? 0 : event.loaded / event.total,
            text: event.text,
          },
        };
      case 'call-retry':
        return { loading: event.waitMs === 0 ? null : { phase: 'waiting', share: 0, text: event.reason } };
      case 'reply-delta':
      case 'thought-end':
      case 'step-end':
        return this.#progress(event);
      case 'command-start':
      case 'command-end':
        return this.#command(event);
      case 'phase':
        return { phases: new Map([...state.phases, [event.role, event.phase]]) };
      case 'plan-changed':
        return event.role === this.#leader ? { plan: event.plan } : {};
      case 'usage':
        return { usage: event.total, loading: null, ...this.#linked(true) }; // It has replied.
      case 'file-changed':
        void this.parts.files.changed(event);
        if (state.runningSince === null) void this.parts.workbench.refreshHistory();
        return {};
      case 'page-changed':
        return {
          page: { url: event.url.replace(/^file:\/\//, ''), by: 'agent', role: event.role },
          pageErrors: [],
        };
      case 'conversation-changed':
        void this.parts.showPast();
        return {
          failure: null,
          cursor: null,
          paused: null,
          page: state.page?.by === 'user' ? state.page : null, // it is loaded again with its file
          announcement: t.conversationChanged,
        };
      case 'queue-changed':
        return event.change === 'revised' ? {} : { announcement: t.queueChanged[event.change] };
      case 'memory-recalled':
        return { recalled: event.ids };
      case 'notes-changed':
        void this.parts.notes.list();
        return {};
      case 'human-question':
      case 'approval-request':
        return {
          question: event.question,
          announcement: t.announceAsk(event.question.role, event.question.text),
        };
      case 'human-reply':
        return { announcement: t.announceSay(event.role, event.text) };
      case 'run-end':
        return this.#end(event);
      case 'warning':
        return this.#warned(event);
      case 'session-held':
        return this.#held();
      default:
        return {};
    }
  }

  /** The steps of the work: a reply streams in, is complete, and its commands have run. */
  #progress(event: AgentEvent<'reply-delta' | 'thought-end' | 'step-end'>): Partial<State> {
    const { files, tour, workbench } = this.parts;
    switch (event.type) {
      case 'reply-delta':
        this.#live = this.store.state.conversation.live;
        files.streamed(this.#live);
        return { loading: null };
      case 'thought-end': {
        files.streamed(this.#live, true);
        this.#live = null;
        const tab = tour.tabOfStep();
        return tab === null ? {} : { tab };
      }
      case 'step-end':
        files.stepEnded(event.role);
        void workbench.refresh();
        tour.reload();
        return {};
    }
  }

  #command(event: AgentEvent<'command-start' | 'command-end'>): Partial<State> {
    const { files } = this.parts;
    if (event.name === OPENS_PAGE) {
      if (event.type === 'command-start') files.pageOpening(event.role);
      else if (event.ok) files.pageOpened(event.role);
    }
    const { conversation, shell } = this.store.state;
    return event.name.startsWith('Terminal.') ? { shell: shellLines(conversation.entries, shell) } : {};
  }

  #end({ status, error }: AgentEvent<'run-end'>): Partial<State> {
    const { files, all, tour, workbench } = this.parts;
    const session = this.session();
    const pause = session === null ? null : this.parts.pauseOf(session, Date.now());
    files.stepEnded();
    void workbench.refresh();
    void all.load();
    files.refreshPage();
    if (status === 'done') {
      if (tourIn(this.store.state.session) === null) void this.#showResult();
      tour.proceed(false);
    }
    return {
      runningSince: null,
      loading: null,
      question: status === 'waiting' ? (session?.waiting ?? null) : null,
      paused: pause === null ? null : { ...pause, why: whyPaused(status) },
      ...(error?.code.startsWith('model-') === true ? this.#linked(false) : {}),
      ...(status === 'waiting' ? {} : { announcement: t.announceEnd[status] }),
    };
  }

  /** Shows the page that a run has built, and its errors. */
  async #showResult(): Promise<void> {
    const session = this.session();
    await this.parts.workbench.showResult();
    if (session === null || session !== this.session()) return;
    await this.parts.files.errors.watch(session);
  }

  #warned({ code, message }: AgentEvent<'warning'>): Partial<State> {
    if (code === 'session-fenced') return { failure: { code, message } };
    return code === 'storage-full' ? { failure: { code, message }, lacksSpace: true } : {};
  }

  /** The other tab has closed the session, or there is space for changes again: its work can be continued here. */
  #held(): Partial<State> {
    const session = this.session();
    const { lacksSpace, failure } = this.store.state;
    return {
      viewing: false,
      lacksSpace: false,
      failure: lacksSpace ? null : failure,
      runningSince: null,
      loading: null,
      question: session?.waiting ?? null,
      paused: session === null ? null : this.parts.pauseOf(session, null),
      announcement: lacksSpace ? t.ready : t.nowOwner,
    };
  }

  /** The selected model has answered, or has not. A recorded run says nothing about it. */
  #linked(works: boolean): Partial<State> {
    const { link, session } = this.store.state;
    if (tourIn(session) !== null || (works && link === 'ok')) return {};
    const settings = { ...this.store.state.settings, isTested: works };
    saveSettings(localStorage, settings);
    return { link: works ? 'ok' : 'failed', settings };
  }

  get #leader(): string {
    const session = this.session();
    return session === null ? '' : roleNames(isTeam(session.name))[0];
  }
}

/** Why a run can be continued, by the status with which it ended. */
export function whyPaused(status: string | undefined): 'stopped' | 'failed' | 'interrupted' {
  return status === 'stopped' || status === 'failed' ? status : 'interrupted';
}
