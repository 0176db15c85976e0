import { RoleZeroError } from '../core/error.js';
import { fingerprint } from '../core/fingerprint.js';
import type { JsonValue } from '../core/json.js';
import { newId } from '../core/new-id.js';
import {
  type NewNote,
  type Note,
  type NoteChange,
  type SessionNotes,
  NOTE_KINDS,
  type NoteKind,
} from '../core/notes.js';
import * as s from '../core/schema.js';
import { cannotShare } from '../core/shared-name.js';
import type { Write } from '../core/store.js';
import { type Tool, type ToolContext, builtInTool } from '../core/tool.js';
import { section } from '../agent/prompt/template.js';
import type { AgentPart, PartAccess, PartAgent, Section } from '../agent/runtime/part.js';
import { chooseNotes, NoteBook, searchNotes } from './note-book.js';
import type { NoteSettings, NoteLimits } from './options.js';
import { createSessionNotes } from './session-notes.js';
import { noteOf, readNoteExport, type StoredNote, readNote } from './stored-note.js';

/** Digits of an id: short, because the model writes it. */
const ID_DIGITS = 8;
const STAMP_DIGITS = 8;

/**
 * The notes of an agent, written through its journal, so that a note is stored with the result of its command. Shared notes are read again
 * before each use, because other sessions change them. The prompt receives notes once, and again after a compaction.
 */
export class AgentNotes implements AgentPart {
  readonly name = 'notes';
  readonly tools: readonly Tool[];
  readonly #agent: PartAgent;
  readonly #settings: NoteSettings;
  readonly #book: NoteBook;
  readonly #rows: NoteRows;

  constructor(agent: PartAgent, settings: NoteSettings) {
    this.#agent = agent;
    this.#settings = settings;
    this.#book = new NoteBook(settings);
    this.#rows = new NoteRows(agent, settings.shared);
    this.tools = noteTools(settings, {
      write: (note, context) => this.#writeByModel(note, context),
      remove: (id) => this.#removeByModel(id),
      read: (query, context) => this.#readByModel(query, context),
    });
  }

  /** Equal for roles that share their notes. */
  get place(): string {
    return this.#rows.place;
  }

  async restore(): Promise<void> {
    this.#book.restore((await this.#rows.load()) ?? []);
  }

  /** Fingerprints of the notes that the model was sent since the last compaction, by id. */
  get #sent(): Readonly<Record<string, JsonValue>> {
    return this.#agent.state.parts[this.name] ?? {};
  }

  async section(): Promise<Section> {
    try {
      await this.#refresh();
    } catch (error) {
      this.#agent.warn(
        'Could not read the shared notes; continuing with those that were read before.',
        error,
      );
    }
    const { state } = this.#agent;
    const chosen = chooseNotes(this.#book.all, this.#agent.turn().request?.content ?? '', this.#settings);
    const known = this.#sent;
    const news = chosen.filter((note) => known[note.id] !== noteFingerprint(note));
    const gone = Object.keys(known).filter((id) => isHidden(this.#book.get(id)));
    let isRepeated = false;
    return {
      text: (fresh) => {
        isRepeated = fresh;
        const lines = (fresh ? chosen : news).map(noteLine);
        if (!fresh && gone.length > 0) lines.push(`- Removed: ${gone.map((id) => `[${id}]`).join(', ')}`);
        if (lines.length === 0) return '';
        return section('Standing Notes', [this.#settings.introduction, ...lines].join('\n'));
      },
      markSent: () => {
        const sent = isRepeated ? chosen : news;
        if (sent.length > 0) state.private = true;
        if (sent.length === 0 && gone.length === 0 && !isRepeated) return;
        const before = isRepeated ? [] : Object.entries(known).filter(([id]) => !gone.includes(id));
        const stamps = sent.map((note): [string, JsonValue] => [note.id, noteFingerprint(note)]);
        state.parts[this.name] = Object.fromEntries([...before, ...stamps]);
      },
    };
  }

  session(access: PartAccess): SessionNotes {
    return createSessionNotes({
      ...access,
      owners: async (role, purpose) =>
        (await access.parts(role, purpose)).flatMap(({ role: owner, part }) =>
          part instanceof AgentNotes ? [{ role: owner, notes: part }] : [],
        ),
    });
  }

  async list(): Promise<Note[]> {
    await this.#refresh();
    return this.#book.all.map(noteOf);
  }

  /** Writes a note of the user. Returns the writes that must be stored at once, like the methods below. */
  async write({ kind, text }: NewNote): Promise<{ note: Note; writes: Write[] }> {
    await this.#refresh();
    const note = this.#book.write(
      { id: newId().slice(0, ID_DIGITS), kind, role: this.#agent.name, untrusted: [] },
      { text, createdAt: this.#now(), by: 'user' },
    );
    return { note: noteOf(note), writes: this.#byUser([this.#rows.put(note, false)]) };
  }

  /** Returns null when there is no such note. */
  async change(id: string, change: NoteChange): Promise<{ note: Note; writes: Write[] } | null> {
    await this.#refresh();
    const before = this.#book.get(id);
    if (before === null) return null;
    const note = this.#book.change(before, change, this.#now());
    return { note: noteOf(note), writes: this.#byUser([this.#rows.put(note, true)]) };
  }

  /** Returns no writes when there is no such note. */
  async remove(ids: readonly string[]): Promise<Write[]> {
    await this.#refresh();
    const removed = ids.filter((id) => this.#book.remove(id));
    return this.#byUser(removed.map((id) => this.#rows.remove(id)));
  }

  /** Also returns how many notes are new. */
  async import(document: unknown, trusted: boolean): Promise<{ count: number; writes: Write[] }> {
    await this.#refresh();
    const { name } = this.#agent;
    const added = this.#book.add(readNoteExport(document, trusted).map((note) => ({ ...note, role: name })));
    return { count: added.length, writes: this.#byUser(added.map((note) => this.#rows.put(note, false))) };
  }

  async #writeByModel(
    { kind, text, replaces }: WrittenNote,
    { callId, session }: ToolContext,
  ): Promise<string> {
    await this.#refresh();
    const { name: role, state } = this.#agent;
    const { untrusted = [] } = state;
    if (replaces !== undefined) this.#checkMayChange(replaces);
    const id = replaces ?? this.#newIdOf(kind, callId);
    const message = this.#agent.turn().request?.id ?? '';
    const isReplaced = this.#book.get(id) !== null;
    const note = this.#book.write(
      { id, kind, role, untrusted },
      {
        text,
        createdAt: this.#now(),
        by: 'agent',
        source: { session: session.name, role, message, command: callId },
      },
    );
    this.#agent.journal.add([this.#rows.put(note, isReplaced)]);
    this.#tell([id]);
    if (note.untrusted === undefined) state.parts[this.name] = { ...this.#sent, [id]: noteFingerprint(note) };
    const hidden =
      ' It is not shown to you again until the user confirms it: you have read untrusted content.';
    return `Note [${id}] is stored.${note.untrusted === undefined ? '' : hidden}`;
  }

  async #removeByModel(id: string): Promise<string> {
    await this.#refresh();
    this.#checkMayChange(id);
    this.#book.remove(id);
    this.#agent.journal.add([this.#rows.remove(id)]);
    this.#tell([id]);
    return `Note [${id}] is removed.`;
  }

  async #readByModel(query: string, context: ToolContext): Promise<string> {
    await this.#refresh();
    const found = searchNotes(this.#book.all, query);
    if (found.length === 0) return query.trim() === '' ? 'There are no notes.' : 'No note is about that.';
    context.private?.();
    for (const source of new Set(found.flatMap(({ untrusted = [] }) => untrusted)))
      context.untrusted?.(source);
    return found
      .flatMap((note) => [noteLine(note), ...note.earlier.map(earlierVersionLine).toReversed()])
      .join('\n');
  }

  /**
   * Once the role has read untrusted content, the content may want notes changed.
   * @throws RoleZeroError `not-found`; `permission` when the note was written before.
   */
  #checkMayChange(id: string): void {
    const note = this.#book.get(id);
    if (note === null)
      throw new RoleZeroError('not-found', `There is no note [${id}]. Notes.read lists the notes.`, { id });
    if (this.#agent.state.untrusted === undefined || note.untrusted !== undefined) return;
    throw new RoleZeroError(
      'permission',
      `Note [${id}] was written before you read untrusted content, so only the user can change or remove it now. Write a new note, or ask the user.`,
      { id },
    );
  }

  /** A command has the same id after a crash. A session has one summary, and another one after untrusted content was read. */
  #newIdOf(kind: Note['kind'], callId: string): string {
    const { context, name, state } = this.#agent;
    const parts =
      kind === 'summary'
        ? ['summary', context.session, name, state.untrusted === undefined ? 'trusted' : 'untrusted']
        : [callId];
    return fingerprint(JSON.stringify(parts)).slice(0, ID_DIGITS);
  }

  async #refresh(): Promise<void> {
    if (this.#rows.shared === null) return;
    const notes = await this.#rows.load();
    if (notes !== null) this.#book.restore(notes);
  }

  /**
   * Returns the writes of a change by the user. Own rows also replace an older version in the journal that waits for its commit. A shared row
   * does not: a later commit would undo what other sessions have changed meanwhile.
   */
  #byUser(writes: Write[]): Write[] {
    if (this.#rows.shared === null) this.#agent.journal.add(writes, true);
    return writes;
  }

  #tell(ids: string[]): void {
    this.#agent.journal.tell({ type: 'notes-changed', role: this.#agent.name, ids, by: 'agent' });
  }

  #now(): number {
    return this.#agent.context.runtime.now();
  }
}

/** Differs between versions of a note. Two sessions may give two versions the same number. */
function noteFingerprint({ number, kind, text }: StoredNote): string {
  return fingerprint(`${number} ${kind} ${text}`).slice(0, STAMP_DIGITS);
}

function isHidden(note: StoredNote | null): boolean {
  return note === null || note.untrusted !== undefined;
}

function noteLine({ id, kind, text, createdAt, untrusted }: StoredNote): string {
  const origin = untrusted === undefined ? '' : `, after reading ${untrusted.join(', ')}`;
  return `- [${id}] ${isoDay(createdAt)}, ${kind}${origin}: ${text}`;
}

function earlierVersionLine({ text, createdAt }: Note['earlier'][number]): string {
  return `  before, ${isoDay(createdAt)}: ${text}`;
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** What the commands do; see `AgentNotes`. */
interface NoteCommands {
  write(note: WrittenNote, context: ToolContext): Promise<string>;
  remove(id: string): Promise<string>;
  read(query: string, context: ToolContext): Promise<string>;
}

/** The arguments of `Notes.write`. */
interface WrittenNote {
  kind: NoteKind;
  text: string;
  replaces?: string | undefined;
}

/** The commands with which the model writes, removes and reads notes. */
function noteTools({ maxCharacters }: NoteLimits, commands: NoteCommands): Tool[] {
  const id = s.string({ description: 'Id of the note, as in [1f3a90c2].' });
  return [
    builtInTool({
      name: 'Notes.write',
      activity: { verb: 'Writing a note' },
      description: `Write a standing note for later work and later conversations, in one short sentence. Kinds: fact (lasting, about the user or the project), decision, instruction (what the user wants in all later work), summary (this conversation in one line; replaces the last one). When a note is out of date, replace it.`,
      input: s.inputSchema(
        s.object({
          kind: s.oneOf(NOTE_KINDS),
          text: s.string({
            minLength: 1,
            maxLength: maxCharacters,
            description: 'Complete without the conversation: names, not "it".',
          }),
          replaces: s.optional(s.string({ description: 'Id of the note that it replaces.' })),
        }),
      ),
      aliases: { content: 'text', note: 'text', id: 'replaces' },
      run: (note, context) => commands.write(note, context),
    }),
    builtInTool({
      name: 'Notes.remove',
      activity: { verb: 'Removing a note' },
      description: 'Remove a note that is wrong or no longer wanted, with its earlier versions.',
      input: s.inputSchema(s.object({ id })),
      run: (input) => commands.remove(input.id),
    }),
    builtInTool({
      name: 'Notes.read',
      activity: { verb: 'Reading the notes' },
      description:
        'Read the notes in the order in which they were written, with dates and earlier versions: all of them, or those about a topic.',
      input: s.inputSchema(s.object({ query: s.optional(s.string()) })),
      effect: 'pure',
      run: ({ query = '' }, context) => commands.read(query, context),
    }),
  ];
}

/** Where notes are stored: as rows of the role in its session, or under a name that sessions share. */
class NoteRows {
  readonly #agent: PartAgent;
  readonly shared: string | null;

  constructor(agent: PartAgent, shared: string | null) {
    this.#agent = agent;
    this.shared = shared;
  }

  /** Differs for different notes. */
  get place(): string {
    return this.shared === null ? `role ${this.#agent.name}` : `shared ${this.shared}`;
  }

  /** Reads all notes; null without a store. @throws RoleZeroError `storage-…`; `invalid` when the storage cannot share records. */
  async load(): Promise<StoredNote[] | null> {
    const { context, name } = this.#agent;
    if (context.load === undefined) return null;
    const rows =
      this.shared === null
        ? await context.load('notes', { from: `${name}/`, before: `${name}/~` }) // sorts after all characters of an id
        : await this.#loadShared(this.shared);
    const notes = rows.map(({ key, value }) => ({ key, note: readNote(value) }));
    // The name of a role may start with another name and a slash.
    return notes.flatMap(({ key, note }) => (note !== null && key === this.#keyOf(note.id) ? note : []));
  }

  /** Returns the write of a note. A replaced one is not stored again when another session has removed it meanwhile. */
  put(note: StoredNote, isReplaced: boolean): Write {
    const place = { table: 'notes' as const, key: this.#keyOf(note.id) };
    const write: Write = { ...place, value: note };
    if (this.shared === null) return write;
    return { ...write, shared: this.shared, ...(isReplaced ? { requires: place } : {}) };
  }

  remove(id: string): Write {
    const write: Write = { table: 'notes', key: this.#keyOf(id), value: undefined };
    return this.shared === null ? write : { ...write, shared: this.shared };
  }

  async #loadShared(shared: string): Promise<{ key: string; value: unknown }[]> {
    const { loadShared } = this.#agent.context;
    if (loadShared !== undefined) return loadShared(shared, 'notes');
    throw cannotShare('notes()', shared);
  }

  /** Names what shares the note, too: a commit has one write for each key. */
  #keyOf(id: string): string {
    return `${this.shared ?? this.#agent.name}/${id}`;
  }
}
