import type { AgentEvent, RunFacts, StepTrace } from '../core/events.js';
import { follow } from '../client/followed-run.js';
import { Listeners } from '../client/listeners.js';
import type { ClientSession } from '../client/session.js';
import {
  applied,
  withRequest,
  emptyConversation,
  type Conversation,
  type Entry,
  type Notice,
  withQueue,
} from './conversation.js';
import { shownRequest } from './shown-request.js';
import { StoredMessages, filled, fromTeam, hasGaps, withOlder } from './stored-conversation.js';

/** Number of entries that are shown at first. */
const SHOWN_AT_FIRST = 200;

/** The conversation with a session at one moment. It is immutable; a change creates a new object. */
export interface ConversationView extends Conversation {
  /** The stored conversation has been read. */
  readonly isOpen: boolean;
  /** Number of newest entries to show. */
  readonly shown: number;
  /** Number of entries that were added before the first ones since the conversation was opened. */
  readonly older: number;
  /** The session has earlier messages that have not been read. */
  readonly hasOlder: boolean;
  /** Earlier messages are being read. */
  readonly isReading: boolean;
  /** The known steps of all roles, oldest first. */
  readonly steps: readonly StepTrace[];
  /** The error that ended the last run; null when it ended otherwise, or before this page was opened. */
  readonly failure: Notice | null;
  /** What happened in the last run, whatever the model says; null while one is in progress, and before one has ended on this page. */
  readonly facts: RunFacts | null;
}

/** The conversation before a session is open. */
export const noConversation: ConversationView = {
  ...emptyConversation,
  isOpen: false,
  shown: SHOWN_AT_FIRST,
  older: 0,
  hasOlder: false,
  isReading: false,
  steps: [],
  failure: null,
  facts: null,
};

const followedConversations = new WeakMap<ClientSession, Map<string, FollowedConversation>>();

/**
 * Follows the conversation with a session, live and from its stored messages. `<rolezero-chat>` shows the same one, so a page can read it
 * for parts of its own. `roles`: the names of a team's roles, the one that receives the requests first; by default it has one role.
 *
 * @example
 * const conversation = followConversation(session);
 * conversation.subscribe(() => console.log(conversation.view.entries.length));
 */
export function followConversation(
  session: ClientSession,
  roles: readonly string[] = [],
): FollowedConversation {
  const ofSession = followedConversations.get(session) ?? new Map<string, FollowedConversation>();
  followedConversations.set(session, ofSession);
  const key = roles.join('\n');
  const conversation = ofSession.get(key) ?? new FollowedConversation(session, roles);
  ofSession.set(key, conversation);
  return conversation;
}

/** The conversation with a session, by `followConversation`. */
export class FollowedConversation {
  /** Resolves when the stored conversation has been read. */
  readonly opened: Promise<void>;
  readonly #session: ClientSession;
  readonly #roles: readonly (string | null)[];
  readonly #listeners = new Listeners();
  #view = noConversation;
  #pages: readonly StoredMessages[] = [];
  /** Requests that were added before their run started. */
  #asked: string[] = [];
  /** Number of steps that were stored while the stored conversation was read, maybe too late for it. */
  #stored = 0;
  /** Number of times that the conversation was read again; only the newest reading counts. */
  #readings = 0;
  /** Commands with effects that remain although their step was taken back, not shown yet. */
  #effects: readonly string[] = [];

  /** @internal Use `followConversation`, which everyone shares. */
  constructor(session: ClientSession, roles: readonly string[]) {
    this.#session = session;
    this.#roles = roles.length === 0 ? [null] : roles;
    session.on((event) => this.#hear(event));
    follow(session).subscribe(() => this.#listeners.tell());
    this.opened = this.#open();
    this.opened.catch(() => {}); // Reported to those who wait for it.
  }

  get view(): ConversationView {
    return this.#view;
  }

  /**
   * Calls a function after each change, also when the session begins or ends to run, to wait for an answer, or to be resumable, which another
   * tab may cause. Returns a function that ends this.
   */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.remove(listener);
  }

  /**
   * Adds a request that is about to be sent, with the id of its message. Without this, it is added when its run starts. Returns a function
   * that removes it again, for a request that is refused.
   */
  ask(text: string, id?: string): () => void {
    if (id === undefined) this.#asked.push(text);
    const conversation = withRequest(this.#view, text, id);
    const added = conversation.entries.at(-1);
    this.#update(conversation);
    return () => {
      this.#asked = this.#asked.filter((each) => each !== text);
      this.#update({ entries: this.#view.entries.filter((entry) => entry !== added) });
    };
  }

  /** Shows earlier entries: those that are known first, then the next page of stored ones. */
  async showOlder(): Promise<void> {
    const { entries, shown, isReading } = this.#view;
    if (isReading) return;
    if (entries.length > shown) {
      this.#update({ shown: shown + SHOWN_AT_FIRST });
      return;
    }
    this.#update({ isReading: true });
    try {
      const pages = this.#pages.filter(({ hasOlder }) => hasOlder);
      await Promise.all(pages.map((page) => page.readOlder(this.#view.steps.length)));
      const before = this.#view;
      const conversation = withOlder(before, fromTeam(this.#pages));
      const added = conversation.entries.length - before.entries.length;
      this.#update({
        entries: conversation.entries,
        shown: before.shown + added,
        older: before.older + added,
        hasOlder: this.#hasOlder,
        steps: withSteps(before.steps, this.#pages),
      });
    } finally {
      this.#update({ isReading: false });
    }
  }

  async #open(): Promise<void> {
    let known: number;
    let unread: readonly Entry[];
    do {
      known = this.#stored;
      this.#pages = await this.#readNewest();
      unread = await this.#readUnread();
    } while (known !== this.#stored);
    const stored = [...fromTeam(this.#pages).entries, ...unread];
    const entries = [...stored, ...withoutStored(this.#view.entries, stored)];
    this.#update({
      isOpen: true,
      entries,
      shown: Math.max(SHOWN_AT_FIRST, entries.length),
      hasOlder: this.#hasOlder,
      steps: withSteps(this.#view.steps, this.#pages),
    });
  }

  async #readNewest(): Promise<readonly StoredMessages[]> {
    const pages = this.#roles.map((role) => new StoredMessages(this.#session, role));
    await Promise.all(pages.map((page) => page.readOlder()));
    return pages;
  }

  /** The requests that are no messages of a role yet: a step reads them, and stores that with its reply. */
  async #readUnread(): Promise<readonly Entry[]> {
    const { running, resumable } = this.#session;
    if (running === null && !resumable) return [];
    const { messages } = await this.#session.inspect();
    const read = new Set(
      this.#pages.flatMap((page) => [
        ...page.messages.map(({ id }) => id),
        ...page.steps.map(({ requirement }) => requirement),
      ]),
    );
    return messages
      .slice(messages.findLastIndex(({ message }) => read.has(message.id)) + 1)
      .filter(({ message }) => message.causeBy === 'UserRequirement')
      .map(({ message: { id, content } }) => ({ id, ...shownRequest(content) }));
  }

  get #hasOlder(): boolean {
    return this.#pages.some(({ hasOlder }) => hasOlder);
  }

  #hear(event: AgentEvent): void {
    const before = this.#view;
    if (event.type === 'conversation-changed') void this.#readAgain(event.effects);
    if (event.type === 'queue-changed') this.#queueChanged(event);
    if (event.type === 'run-start') this.#update({ facts: null });
    if (event.type === 'run-end') this.#update({ facts: event.facts ?? null });
    if (event.type === 'run-start' && !event.resumed) this.#start(event.request, event.messageId);
    const conversation = applied(this.#view, event);
    if (conversation !== this.#view) this.#update(conversation);
    if (event.type === 'step-end') {
      this.#update({ steps: sortByStart([...this.#view.steps, event.trace]) });
      // A completed step is stored: the conversation that is being read contains it.
      if (!before.isOpen) {
        this.#stored += 1;
        this.#update({ entries: [] });
      }
    }
    // The results of the previous step are part of the model's input.
    const isFilled = event.type === 'thought-end' || (event.type === 'run-end' && event.status === 'done');
    if (isFilled && before.isOpen && hasGaps(before)) void this.#fillGaps();
    if (event.type === 'run-end') this.#asked = [];
  }

  #start(request: string, id?: string): void {
    const stored = shownRequest(request);
    const at = this.#asked.indexOf(stored.text);
    if (at >= 0) this.#asked.splice(at, 1);
    const { entries } = this.#view;
    const shown = entries.findLastIndex((entry) =>
      entry.id === null ? at >= 0 && isUnnamed(entry, stored.text) : entry.id === id,
    );
    const entry = entries[shown];
    if (entry === undefined) this.#update(withRequest(this.#view, request, id));
    else this.#update({ entries: entries.with(shown, { ...stored, id: id ?? null }) });
  }

  #queueChanged({ change, messageIds }: AgentEvent<'queue-changed'>): void {
    this.#update({ entries: withQueue(this.#view.entries, change, messageIds, this.#session.queued) });
  }

  /** Shows the stored conversation in place of what was shown. What happens meanwhile follows it. */
  async #readAgain(effects: readonly string[]): Promise<void> {
    const reading = ++this.#readings;
    const old = new Set<unknown>([...this.#view.entries, ...this.#view.steps]);
    this.#effects = [...this.#effects, ...effects];
    this.#update({ isReading: true, facts: null });
    const pages = await this.#readNewest().catch(() => null); // A session that was closed meanwhile shows what it has.
    if (reading !== this.#readings) return;
    if (pages === null) {
      this.#update({ isReading: false });
      return;
    }
    this.#pages = pages;
    const unread = await this.#readUnread().catch(() => []);
    if (reading !== this.#readings) return;
    const stored = [...fromTeam(pages).entries, ...unread];
    const added = withoutStored(
      this.#view.entries.filter((entry) => !old.has(entry)),
      stored,
    );
    const remains: Entry[] =
      this.#effects.length === 0
        ? []
        : [
            {
              id: null,
              kind: 'notice',
              tone: 'warning',
              code: 'effects-remain',
              text: '',
              commands: this.#effects,
            },
          ];
    this.#effects = [];
    const entries = [...stored, ...remains, ...added];
    this.#update({
      entries,
      shown: Math.max(SHOWN_AT_FIRST, entries.length),
      older: 0,
      hasOlder: this.#hasOlder,
      isReading: false,
      steps: withSteps(
        this.#view.steps.filter((step) => !old.has(step)),
        pages,
      ),
    });
  }

  async #fillGaps(): Promise<void> {
    // A session that was closed meanwhile shows what it has.
    const pages = await this.#readNewest().catch(() => null);
    if (pages !== null) this.#update(filled(this.#view, fromTeam(pages)));
  }

  #update(change: Partial<ConversationView>): void {
    const view = { ...this.#view, ...change };
    const last = view.entries.at(-1);
    const failure = last?.kind === 'notice' && last.tone === 'error' ? last : null;
    this.#view = { ...view, failure };
    this.#listeners.tell();
  }
}

/** The entries of events that arrived while the stored conversation was read, without a request that is stored. */
function withoutStored(entries: readonly Entry[], stored: readonly Entry[]): readonly Entry[] {
  const known = new Set(stored.flatMap(({ id }) => (id === null ? [] : [id])));
  const [first, ...rest] = entries.filter(({ id }) => id === null || !known.has(id));
  const last = stored.findLast(({ kind }) => kind === 'request');
  const isStored = first?.kind === 'request' && last?.kind === 'request' && first.text === last.text;
  return isStored || first === undefined ? rest : [first, ...rest];
}

function isUnnamed({ id, ...entry }: Entry, request: string): boolean {
  return id === null && entry.kind === 'request' && entry.text === request;
}

function sortByStart(steps: readonly StepTrace[]): readonly StepTrace[] {
  return steps.toSorted((one, other) => one.startedAt - other.startedAt);
}

/** The steps of all roles, and those that have ended since they were read. */
function withSteps(known: readonly StepTrace[], pages: readonly StoredMessages[]): readonly StepTrace[] {
  const keyOf = ({ role, startedAt, step }: StepTrace): string => `${role} ${startedAt} ${step}`;
  const all = [...known, ...pages.flatMap(({ steps }) => steps)];
  return sortByStart([...new Map(all.map((step) => [keyOf(step), step])).values()]);
}
