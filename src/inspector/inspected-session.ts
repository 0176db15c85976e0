import { toRoleZeroError, type RoleZeroError } from '../core/error.js';
import type { AgentEvent, StepTrace, Usage } from '../core/events.js';
import type { FileInfo } from '../core/files.js';
import type { GrantedApproval } from '../core/human.js';
import { asString } from '../core/json.js';
import { resultsIn, type MessageData } from '../core/message.js';
import type { SentPrompt } from '../core/model.js';
import type { SessionSpace } from '../core/space.js';
import type { ClientSession } from '../client/session.js';

/** Maximum number of newest steps of a role that are shown. */
const MAX_SHOWN_STEPS = 500;
/** Maximum number of newest messages of a role that are read for requests and labels. */
const MAX_MESSAGES = 1_000;

/** What the storage of a session holds. */
export interface StorageFacts {
  files: readonly FileInfo[];
  space: SessionSpace;
  /** The browser has promised to keep the data; null where it does not say. */
  isPersisted: boolean | null;
}

/** What the inspector knows about a session. */
export interface Inspected {
  /** Oldest first. */
  steps: readonly StepTrace[];
  /** The messages of the roles by id. */
  messages: ReadonlyMap<string, MessageData>;
  usage: Usage | null;
  approvals: readonly GrantedApproval[];
  stored: StorageFacts | null;
  /** Prompts by their hash; null for those that are no longer in memory. */
  prompts: ReadonlyMap<string, SentPrompt | null>;
  /** Why the last reading or action failed; null when it did not. */
  problem: RoleZeroError | null;
}

/** Events after which everything is read again. */
const REFRESH_EVENTS: ReadonlySet<AgentEvent['type']> = new Set<AgentEvent['type']>([
  'step-end',
  'run-start',
  'run-end',
  'conversation-changed',
  'approval-request',
]);

/** Reads a session for the inspector, and again after each step. */
export class InspectedSession {
  #state: Inspected = {
    steps: [],
    messages: new Map(),
    usage: null,
    approvals: [],
    stored: null,
    prompts: new Map(),
    problem: null,
  };
  readonly #stop: () => void;
  #isReading = false;
  #isOld = false;
  #isClosed = false;

  constructor(
    readonly session: ClientSession,
    private readonly roles: readonly string[],
    private readonly changed: () => void,
  ) {
    this.#stop = session.on(({ type }) => {
      if (REFRESH_EVENTS.has(type)) void this.read();
    });
    void this.read();
  }

  get state(): Inspected {
    return this.#state;
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  /** Reads everything, and once more when something changes meanwhile. */
  async read(): Promise<void> {
    this.#isOld = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#isOld && !this.#isClosed) {
      this.#isOld = false;
      await this.attempt(() => this.#read());
    }
    this.#isReading = false;
  }

  async #read(): Promise<void> {
    const { session } = this;
    const queries = this.roles.length === 0 ? [{}] : this.roles.map((role) => ({ role }));
    const [steps, messages, usage, approvals, stored] = await Promise.all([
      Promise.all(queries.map((query) => session.steps({ ...query, last: MAX_SHOWN_STEPS }))),
      Promise.all(queries.map((query) => session.messages({ ...query, last: MAX_MESSAGES }))),
      session.usage(),
      session.approvals.list(),
      storedIn(session),
    ]);
    this.#update({
      steps: steps.flat().toSorted((one, other) => one.startedAt - other.startedAt),
      messages: new Map(messages.flat().map((message) => [message.id, message])),
      usage,
      approvals,
      stored,
      problem: null,
    });
  }

  /** Loads a prompt. */
  async loadPrompt(promptHash: string): Promise<void> {
    if (this.#state.prompts.get(promptHash) != null) return;
    await this.attempt(async () => {
      const prompt = await this.session.prompt(promptHash);
      this.#update({ prompts: new Map([...this.#state.prompts, [promptHash, prompt]]) });
    });
  }

  /** Works on the request of a step again, with new replies from this step on. */
  async replay({ requirement, step }: StepTrace): Promise<void> {
    await this.attempt(() => this.session.regenerate(requirement, { fromStep: step }).result());
  }

  async revoke(id: string): Promise<void> {
    await this.attempt(async () => {
      await this.session.approvals.revoke(id);
      await this.read();
    });
  }

  /** Shows why something failed. */
  async attempt(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#update({ problem: toRoleZeroError(error) });
    }
  }

  #update(change: Partial<Inspected>): void {
    if (this.#isClosed) return;
    this.#state = { ...this.#state, ...change };
    this.changed();
  }
}

async function storedIn(session: ClientSession): Promise<StorageFacts> {
  const { storage } = navigator as { storage?: Partial<StorageManager> }; // missing in an insecure context
  const [files, space, isPersisted] = await Promise.all([
    session.files.list(),
    session.space(),
    storage?.persisted?.() ?? null,
  ]);
  return { files: files.filter(({ type }) => type === 'file'), space, isPersisted };
}

/** The result of one command, as the conversation stores it. */
export interface StoredResult {
  output: string;
  /** Untrusted sources of the output. */
  from: readonly string[];
}

/** Returns the results of the commands of a step, in order; none when its message is no longer in the window. */
export function resultsOf(
  { observationId }: StepTrace,
  messages: ReadonlyMap<string, MessageData>,
): StoredResult[] {
  const results = resultsIn(messages.get(observationId)) ?? [];
  return results.map(({ output, from }) => ({ output: asString(output), from: stringsIn(from) }));
}

/** Returns the untrusted sources that the messages are labelled with, each once. */
export function untrustedSources(messages: ReadonlyMap<string, MessageData>): string[] {
  return [...new Set([...messages.values()].flatMap(({ metadata }) => stringsIn(metadata['untrusted'])))];
}

function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
