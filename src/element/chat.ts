import { EventChunks } from '../ai-sdk-ui/event-chunks.js';
import type { SessionChunk } from '../ai-sdk-ui/ui-message.js';
import { chatMessages } from '../ai-sdk-ui/history.js';
import { follow, NO_RUN, type RunView } from '../client/followed-run.js';
import type { ClientSession } from '../client/session.js';
import { toRoleZeroError } from '../core/error.js';
import type { AgentEvent } from '../core/events.js';
import type { SendOptions } from '../core/message.js';
import { entriesOf, withChunk, type Entry } from './entries.js';
import { StoredMessages } from './stored-messages.js';

/** Number of stored messages that are read at a time. */
const PAGE = 100;

/** Maximum number of files that are listed. */
const MOST_FILES = 100;

/** What the element shows of a session. */
export interface ChatState {
  /** The conversation has been read. */
  isOpen: boolean;
  entries: readonly Entry[];
  /** Number of entries that were added before the first ones. */
  older: number;
  /** There are earlier messages. */
  hasOlder: boolean;
  /** Earlier messages are being read. */
  isReadingOlder: boolean;
  /** Paths of the files of the session. */
  files: readonly string[];
}

/** The entries of events that arrived while the stored conversation was read, without a request that is stored. */
function withoutStored(entries: readonly Entry[], stored: readonly Entry[]): readonly Entry[] {
  const [first, ...rest] = entries;
  const last = stored.findLast(({ kind }) => kind === 'request');
  const isStored = first?.kind === 'request' && last?.kind === 'request' && first.text === last.text;
  return isStored ? rest : entries;
}

function storedEntries({ messages }: StoredMessages): readonly Entry[] {
  return entriesOf(chatMessages(messages));
}

/** Follows the conversation of a session. */
export class Chat {
  #state: ChatState = {
    isOpen: false,
    entries: [],
    older: 0,
    hasOlder: false,
    isReadingOlder: false,
    files: [],
  };
  readonly #history: StoredMessages;
  /** The response of the run in progress. */
  #response: EventChunks | null = null;
  readonly #stops: (() => void)[] = [];
  #isClosed = false;
  #isListing = false;
  #filesAreOld = false;

  constructor(
    readonly session: ClientSession,
    /** Called after each change. */
    private readonly onChange: () => void,
  ) {
    this.#history = new StoredMessages(session, PAGE);
    const run = follow(session);
    this.#stops.push(
      run.subscribe(onChange),
      session.on((event) => this.#hear(event)),
    );
    void this.#open();
  }

  get state(): ChatState {
    return this.#state;
  }

  get run(): RunView {
    return this.#isClosed ? NO_RUN : follow(this.session).view();
  }

  /** Sends a request. It is part of the conversation when the run starts. */
  async send(text: string, options: SendOptions): Promise<void> {
    await this.#guarded(() => this.run.send(text, options).result());
  }

  async answer(text: string): Promise<void> {
    await this.#guarded(() => this.run.answer(text));
  }

  async resume(): Promise<void> {
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

  /** Adds earlier messages of the stored conversation before those that are shown. */
  async showOlder(): Promise<void> {
    if (this.#state.isReadingOlder) return;
    this.#update({ isReadingOlder: true });
    await this.#guarded(async () => {
      const known = storedEntries(this.#history);
      await this.#history.readOlder();
      const all = storedEntries(this.#history);
      const added = all.slice(0, all.length - known.length);
      const { entries, older } = this.#state;
      this.#update({
        entries: [...added, ...entries],
        older: older + added.length,
        hasOlder: this.#history.hasOlder,
      });
    });
    this.#update({ isReadingOlder: false });
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
  }

  async #open(): Promise<void> {
    await this.#guarded(async () => {
      await this.#history.readOlder();
      const stored = storedEntries(this.#history);
      this.#update({
        isOpen: true,
        entries: [...stored, ...withoutStored(this.#state.entries, stored)],
        hasOlder: this.#history.hasOlder,
      });
      await this.#listFiles();
    });
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
        this.#update({ files: files.slice(0, MOST_FILES) });
      }
    } finally {
      this.#isListing = false;
    }
  }

  #hear(event: AgentEvent): void {
    if (event.type === 'run-start') {
      this.#response = new EventChunks(event.resumed ? [] : null);
      if (!event.resumed) this.#add({ kind: 'request', text: event.request });
    }
    if (event.type === 'file-changed') void this.#guarded(() => this.#listFiles());
    const response = (this.#response ??= new EventChunks([]));
    this.#show(response.push(event));
    if (event.type === 'run-end') {
      this.#show(response.finish(event));
      this.#response = null;
    }
    // A completed step is stored: the conversation that is being read contains it.
    if (event.type === 'step-end' && !this.#state.isOpen) this.#update({ entries: [] });
  }

  #show(chunks: readonly SessionChunk[]): void {
    if (chunks.length > 0) this.#update({ entries: chunks.reduce(withChunk, this.#state.entries) });
  }

  #add(entry: Entry): void {
    this.#update({ entries: [...this.#state.entries, entry] });
  }

  #update(change: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...change };
    if (!this.#isClosed) this.onChange();
  }

  /** Shows an error in the conversation; the result of a run shows its own. */
  async #guarded(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#add({ kind: 'error', text: toRoleZeroError(error).message });
    }
  }
}
