import { toRoleZeroError, type RoleZeroError } from '../core/error.js';
import type { AgentEvent } from '../core/events.js';
import type { GrantedApproval } from '../core/human.js';
import type { SendOptions } from '../core/message.js';
import { newId } from '../core/new-id.js';
import { follow, NO_RUN, type RunView } from '../client/followed-run.js';
import type { ClientSession } from '../client/session.js';
import { FileChanges } from './file-changes.js';
import {
  followConversation,
  type ConversationView,
  type FollowedConversation,
} from './followed-conversation.js';
import type { Versions } from './request-view.js';

/** Maximum number of files that are listed. */
const MAX_SHOWN_FILES = 100;

/** What the element does when something happens. */
export interface ChatActions {
  /** Something has changed. */
  changed: () => void;
  /** Something has failed. False: it is not shown. */
  failed: (error: RoleZeroError) => boolean;
}

/** What the element shows of a session. */
export interface ChatState {
  conversation: ConversationView;
  /** Paths of the files of the session. */
  files: readonly string[];
  /** Why the last action of the user failed; null when it did not. Runs that fail are part of the conversation. */
  problem: RoleZeroError | null;
  /** Versions of requests that have several, by the id of the shown one. */
  versions: ReadonlyMap<string, Versions>;
  /** What the user has allowed. */
  approvals: readonly GrantedApproval[];
}

/** Events after which something else may be allowed. */
const DECIDING: ReadonlySet<AgentEvent['type']> = new Set<AgentEvent['type']>([
  'command-end',
  'run-start',
  'run-end',
]);

/** Follows a session for the element, and acts on it. */
export class ChatController {
  readonly changes: FileChanges;
  readonly thumbnails: Thumbnails;
  readonly #conversation: FollowedConversation;
  readonly #stops: (() => void)[] = [];
  #files: readonly string[] = [];
  #problem: RoleZeroError | null = null;
  #versions: ReadonlyMap<string, Versions> = new Map();
  #approvals: readonly GrantedApproval[] = [];
  /** The user was asked since the session is followed. */
  #wasAsked = false;
  #isClosed = false;
  #isListing = false;
  #filesAreOld = false;
  /** The model has been prepared for the next request. */
  #isPrepared = false;

  constructor(
    readonly session: ClientSession,
    { roles, listsFiles }: { roles: readonly string[]; listsFiles: boolean },
    private readonly actions: ChatActions,
  ) {
    this.#conversation = followConversation(session, roles);
    this.#stops.push(this.#conversation.subscribe(actions.changed));
    void this.#guarded(() => this.#conversation.opened);
    void this.#guarded(() => this.#listVersions());
    this.#stops.push(
      session.on(({ type }) => {
        if (type === 'conversation-changed' || type === 'run-start')
          void this.#guarded(() => this.#listVersions());
      }),
    );
    this.changes = new FileChanges(session, () => this.#changed());
    this.thumbnails = new Thumbnails(session, () => this.#changed());
    void this.#guarded(() => this.changes.read());
    this.#stops.push(
      session.on(({ type }) => {
        if (type === 'step-end' || type === 'file-changed' || type === 'conversation-changed')
          void this.#guarded(() => this.changes.read());
      }),
    );
    void this.#guarded(() => this.#listApprovals());
    this.#stops.push(
      session.on(({ type }) => {
        if (type === 'approval-request') this.#wasAsked = true;
        if (DECIDING.has(type) && (this.#wasAsked || type !== 'command-end'))
          void this.#guarded(() => this.#listApprovals());
      }),
    );
    if (!listsFiles) return;
    void this.#guarded(() => this.#listFiles());
    this.#stops.push(
      session.on(({ type }) => {
        if (type === 'file-changed') void this.#guarded(() => this.#listFiles());
      }),
    );
  }

  get state(): ChatState {
    return {
      conversation: this.#conversation.view,
      files: this.#files,
      problem: this.#problem,
      versions: this.#versions,
      approvals: this.#approvals,
    };
  }

  get run(): RunView {
    return this.#isClosed ? NO_RUN : follow(this.session).view();
  }

  /** Work can be continued, and waits for no answer. */
  get isInterrupted(): boolean {
    const { running, resumable, question } = this.run;
    return !running && resumable && question === null;
  }

  /** Lets a model in this browser read ahead while the user writes, once for each request. The request itself shows why that failed. */
  async prepare(): Promise<void> {
    if (this.#isPrepared || this.run.running) return;
    this.#isPrepared = true;
    await this.session.prepare().catch(() => undefined);
  }

  /** Sends a request, which is part of the conversation immediately. Resolves when it is stored, with false when it is refused. */
  async send(text: string, options: SendOptions): Promise<boolean> {
    this.#problem = null;
    this.#isPrepared = false;
    const id = newId();
    const remove = this.#conversation.ask(text, id);
    return this.#guarded(async () => {
      const run = this.run.send(text, { ...options, id });
      try {
        await run.accepted;
      } catch (error) {
        remove();
        throw error;
      }
      void this.#guarded(() => run.result());
    });
  }

  /** Resolves with false when the question is still open. */
  answer(text: string): Promise<boolean> {
    this.#problem = null;
    return this.#guarded(() => this.run.answer(text));
  }

  /**
   * Goes back to the state before a request, and sends another one with the same files in its place. Resolves with false when that is
   * refused.
   */
  async change(id: string, text: string): Promise<boolean> {
    this.#problem = null;
    let files: File[] = [];
    const isBack = await this.#guarded(async () => {
      files = await this.#filesOf(id); // going back takes them back
      await this.session.rewind(id);
    });
    return isBack && this.send(text, files.length === 0 ? {} : { files });
  }

  async #filesOf(id: string): Promise<File[]> {
    const request = this.state.conversation.entries.find((entry) => entry.id === id);
    const paths = request?.kind === 'request' ? (request.files ?? []) : [];
    const read = async (path: string): Promise<File> =>
      new File([(await this.session.files.readBytes(path)) as BlobPart], path.split('/').at(-1) ?? path);
    return Promise.all(paths.filter((path) => path.startsWith('/')).map(read));
  }

  /** Sends a request again. */
  async repeat(id: string): Promise<void> {
    this.#problem = null;
    await this.#guarded(() => this.session.regenerate(id).result());
  }

  /** Changes the words of a request that waits. Resolves with false when that is refused. */
  revise(id: string, text: string): Promise<boolean> {
    this.#problem = null;
    return this.#guarded(() => this.session.revise(id, text));
  }

  /** Takes back a request that waits. */
  async withdraw(id: string): Promise<void> {
    this.#problem = null;
    await this.#guarded(() => this.session.withdraw(id));
  }

  async openBranch(id: string): Promise<void> {
    this.#problem = null;
    await this.#guarded(() => this.session.branches.open(id));
  }

  /** Does something for the user, and shows why it failed. */
  async attempt(act: () => unknown): Promise<void> {
    this.#problem = null;
    await this.#guarded(async () => act());
  }

  /** Undoes or repeats changes of files by their id. Resolves with the paths of a conflict, which remains open. */
  async reverse(act: 'undo' | 'redo', id: string): Promise<string[]> {
    await this.attempt(() => this.changes.act(act, id, undefined));
    const { conflict } = this.changes;
    return conflict?.request === id ? conflict.conflicts.map(({ path }) => path) : [];
  }

  /** Takes back what the user has allowed. */
  async revoke(id: string): Promise<void> {
    this.#problem = null;
    await this.#guarded(async () => {
      await this.session.approvals.revoke(id);
      await this.#listApprovals();
    });
  }

  async resume(): Promise<void> {
    this.#problem = null;
    await this.#guarded(() => this.run.resume().result());
  }

  /** Returns the content of a file; null when it cannot be read, which the conversation then says. */
  async readFile(path: string): Promise<Uint8Array | null> {
    let content: Uint8Array | null = null;
    await this.#guarded(async () => {
      content = await this.session.files.readBytes(path);
    });
    return content;
  }

  async showOlder(): Promise<void> {
    await this.#guarded(() => this.#conversation.showOlder());
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    this.thumbnails.close();
  }

  /** Lists the files, and again when one changes meanwhile: not once for each of many changes. */
  async #listFiles(): Promise<void> {
    this.#filesAreOld = true;
    if (this.#isListing) return;
    this.#isListing = true;
    try {
      while (this.#filesAreOld && !this.#isClosed) {
        this.#filesAreOld = false;
        const found = await this.session.files.list();
        const files = found.filter(({ type }) => type === 'file').map(({ path }) => path);
        this.#files = files.slice(0, MAX_SHOWN_FILES);
        this.#changed();
      }
    } finally {
      this.#isListing = false;
    }
  }

  async #listVersions(): Promise<void> {
    const branches = await this.session.branches.list();
    const versions = new Map<string, Versions>();
    for (const { instead, insteadAt } of branches) {
      if (instead === null || versions.has(instead)) continue;
      const all = [
        { id: null, sentAt: insteadAt ?? 0 },
        ...branches.filter((each) => each.instead === instead),
      ].sort((one, other) => one.sentAt - other.sentAt);
      versions.set(instead, {
        ids: all.map(({ id }) => id),
        shown: all.findIndex(({ id }) => id === null),
      });
    }
    this.#versions = versions;
    this.#changed();
  }

  async #listApprovals(): Promise<void> {
    const approvals = await this.session.approvals.list();
    if (JSON.stringify(approvals) === JSON.stringify(this.#approvals)) return;
    this.#approvals = approvals;
    this.#changed();
  }

  #changed(): void {
    if (!this.#isClosed) this.actions.changed();
  }

  /** False when it failed. */
  async #guarded(act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      const problem = toRoleZeroError(error);
      if (!this.#isClosed && this.actions.failed(problem)) this.#problem = problem;
      this.#changed();
      return false;
    }
  }
}

/** Maximum number of images that are held. */
const MAX_THUMBNAILS = 100;

/** The attached images that the conversation shows, read when they are. */
class Thumbnails {
  readonly #session: ClientSession;
  readonly #changed: () => void;
  /** Addresses by path; empty while it is read, and for a file that is gone. */
  readonly #urls = new Map<string, string>();

  constructor(session: ClientSession, changed: () => void) {
    this.#session = session;
    this.#changed = changed;
  }

  /** Returns the address of an image of the session; undefined while it is not known. */
  urlOf(path: string): string | undefined {
    if (!this.#urls.has(path) && this.#urls.size < MAX_THUMBNAILS) {
      this.#urls.set(path, '');
      void this.#read(path);
    }
    return this.#urls.get(path) || undefined;
  }

  async #read(path: string): Promise<void> {
    const bytes = await this.#session.files.readBytes(path).catch(() => null); // removed since: its name is shown
    if (bytes === null || !this.#urls.has(path)) return;
    this.#urls.set(path, URL.createObjectURL(new Blob([bytes as BlobPart])));
    this.#changed();
  }

  close(): void {
    for (const url of this.#urls.values()) if (url !== '') URL.revokeObjectURL(url);
    this.#urls.clear();
  }
}
