import type { RegenerateOptions, RewindOptions, RewindResult, SessionBranches } from '../core/branches.js';
import type { PlanData, StepQuery, StepTrace, Usage } from '../core/events.js';
import type { SessionFiles } from '../core/files.js';
import type { Inspection } from '../core/inspection.js';
import type { SessionMemory } from '../core/long-term.js';
import type { MessageData, MessageQuery } from '../core/message.js';
import type { SessionApprovals } from '../core/human.js';
import type { SessionNotes } from '../core/notes.js';
import type { RequestOptions } from '../core/output.js';
import type { SentPrompt } from '../core/model.js';
import type { SessionSpace } from '../core/space.js';
import type { SessionExport } from '../core/store.js';
import type { ArgumentName, ArgumentType } from './arguments.js'; // types only: the page loads no schemas

/** Signatures of the methods on the session itself. `ClientSession` documents them. */
export interface SessionMethods {
  /** Returns the id of the run, whose events follow; null when the run of a message that was already sent has ended. */
  send(text: string, options?: RequestOptions): Promise<string | null>;
  /** Returns the id of the run. */
  resume(): Promise<string>;
  /** `Run.stop` on the page. */
  stop(): Promise<void>;
  answer(id: string, text: string): Promise<void>;
  cancel(callId: string): Promise<void>;
  withdraw(messageId: string): Promise<void>;
  revise(messageId: string, text: string): Promise<void>;
  prepare(): Promise<void>;
  rewind(messageId: string, options?: RewindOptions): Promise<RewindResult>;
  /** Returns the id of the run. */
  regenerate(messageId: string, options?: RegenerateOptions): Promise<string>;
  messages(query?: string | MessageQuery): Promise<MessageData[]>;
  plan(role?: string): Promise<PlanData>;
  inspect(): Promise<Inspection>;
  steps(query?: string | StepQuery): Promise<StepTrace[]>;
  prompt(promptHash: string): Promise<SentPrompt | null>;
  usage(): Promise<Usage>;
  space(): Promise<SessionSpace>;
  export(): Promise<SessionExport>;
  callPart(part: string, method: string, input?: unknown): Promise<unknown>;
}

/** Methods of `session.files`, as documented there. `watch` works on the page, from the events that it receives. */
export type FileMethods = Omit<SessionFiles, 'watch'>;

/** Methods of `session.memory`, as documented there. `archive` works on the page, because it calls a function of the page. */
export type MemoryMethods = Omit<SessionMemory, 'archive'>;

/** Methods of `session.notes`, as documented there. */
export type NoteMethods = SessionNotes;

/** Methods of `session.branches`, as documented there. */
export type BranchMethods = SessionBranches;
/** Methods of `session.approvals`, as documented there. */
export type ApprovalMethods = SessionApprovals;

/** All methods, by the names that cross the wire and that errors mention, such as `files.read`. */
interface Methods
  extends
    SessionMethods,
    Prefixed<'files', FileMethods>,
    Prefixed<'memory', MemoryMethods>,
    Prefixed<'notes', NoteMethods>,
    Prefixed<'branches', BranchMethods>,
    Prefixed<'approvals', ApprovalMethods> {}

export type MethodName = keyof Methods;
export type MethodArguments<Name extends MethodName> = Parameters<Methods[Name]>;
export type MethodResult<Name extends MethodName> = Awaited<ReturnType<Methods[Name]>>;

/** What the worker provides for an open session. */
export type SessionImplementation = {
  [Name in keyof SessionMethods]: (
    ...args: MethodArguments<Name>
  ) => MethodResult<Name> | Promise<MethodResult<Name>>;
} & {
  files: FileMethods;
  memory: MemoryMethods;
  notes: NoteMethods;
  branches: BranchMethods;
  approvals: ApprovalMethods;
};

/** One method of the session API. */
export interface MethodEntry {
  /** For each parameter the name of its schema in `arguments.ts`. */
  readonly args: readonly ArgumentName[];
  /** What the worker must have read from the store before the call; default: the files for reading them, else all of the session. */
  readonly needs?: 'overview';
  /** A read-only viewer tab may call the method, too: the call is forwarded to the tab that holds the session. */
  readonly viewer?: true;
  /** The method changes the session in another way than by a request or an answer. After the loss of its worker, other calls are simply repeated. */
  readonly changes?: true;
}

/** One entry for each method. The name of a schema that does not accept exactly the type of its parameter does not compile. */
export type MethodTable<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends (...args: infer Args) => unknown
    ? MethodEntry & { readonly args: { readonly [Index in keyof Args]-?: Fitting<Args[Index]> } }
    : never;
};

/*
 * The session API in five tables. Argument checks, dispatch, and the forwarding for viewer tabs in the worker, and `session.files`,
 * `session.memory`, `session.notes` and `session.branches` on the page, are all generated from them.
 *
 * Not in the tables: the handshake (`connect`, `close`, and the heartbeat) concerns the worker and not its session (`HostApi`); events arrive
 * at any time (`EventBatch`); tools and models of the page are called in the opposite direction (`PageApi`).
 */

export const SESSION_METHODS: MethodTable<SessionMethods> = {
  send: { args: ['longText', 'sendOptions'], needs: 'overview' },
  resume: { args: [], needs: 'overview' },
  stop: { args: [], needs: 'overview', viewer: true },
  answer: { args: ['id', 'longText'], viewer: true },
  cancel: { args: ['id'], needs: 'overview', viewer: true },
  withdraw: { args: ['id'], needs: 'overview', viewer: true, changes: true },
  revise: { args: ['id', 'longText'], needs: 'overview', viewer: true, changes: true },
  prepare: { args: [] },
  rewind: { args: ['id', 'rewindOptions'], changes: true },
  regenerate: { args: ['id', 'regenerateOptions'], changes: true },
  messages: { args: ['messageQuery'], needs: 'overview', viewer: true },
  plan: { args: ['role?'], needs: 'overview', viewer: true },
  inspect: { args: [], needs: 'overview', viewer: true },
  steps: { args: ['stepQuery'], needs: 'overview', viewer: true },
  prompt: { args: ['id'], needs: 'overview', viewer: true },
  usage: { args: [], needs: 'overview', viewer: true },
  space: { args: [], viewer: true },
  export: { args: [], viewer: true },
  callPart: { args: ['id', 'id', 'document'], changes: true },
};

export const FILE_METHODS: MethodTable<FileMethods> = {
  read: { args: ['path'], needs: 'overview', viewer: true },
  readBytes: { args: ['path'], needs: 'overview', viewer: true },
  readAll: { args: ['path?'], viewer: true },
  list: { args: ['path?'], viewer: true },
  stat: { args: ['path'], needs: 'overview', viewer: true },
  glob: { args: ['path'], viewer: true },
  history: { args: [], viewer: true },
  after: { args: ['id'], viewer: true },
  difference: { args: ['id', 'path'], viewer: true },
  bytesAfter: { args: ['id', 'path'] },
  write: { args: ['path', 'content', 'writeOptions'], changes: true },
  writeAll: { args: ['fileInputs', 'writeAllOptions'], changes: true },
  makeDirectory: { args: ['path'], changes: true },
  remove: { args: ['path'], changes: true },
  move: { args: ['path', 'path'], changes: true },
  copy: { args: ['path', 'path'], changes: true },
  diff: { args: ['filesAt', 'filesAt?'], viewer: true },
  undo: { args: ['id', 'undoOptions'], changes: true },
  redo: { args: ['id?', 'undoOptions'], changes: true },
  forgetHistory: { args: ['count?'], changes: true },
};

export const MEMORY_METHODS: MethodTable<MemoryMethods> = {
  search: { args: ['text', 'memoryQuery'], viewer: true },
  list: { args: ['memoryListQuery'], viewer: true },
  forget: { args: ['ids', 'roleOption'], changes: true },
  change: { args: ['id', 'memoryChange', 'roleOption'], changes: true },
  import: { args: ['document', 'memoryImportOptions'], changes: true },
  export: { args: ['memoryExportQuery'], viewer: true },
};

export const NOTE_METHODS: MethodTable<NoteMethods> = {
  list: { args: ['roleOption'], viewer: true },
  write: { args: ['newNote', 'roleOption'], changes: true },
  change: { args: ['id', 'noteChange', 'roleOption'], changes: true },
  remove: { args: ['ids', 'roleOption'], changes: true },
  export: { args: ['roleOption'], viewer: true },
  import: { args: ['document', 'memoryImportOptions'], changes: true },
};

export const BRANCH_METHODS: MethodTable<BranchMethods> = {
  list: { args: [], viewer: true },
  open: { args: ['id', 'rewindOptions'], changes: true },
  remove: { args: ['id'], changes: true },
};

export const APPROVAL_METHODS: MethodTable<ApprovalMethods> = {
  list: { args: [], viewer: true },
  revoke: { args: ['ids'], changes: true },
};

/** The tables of the groups of methods. */
export const GROUPS: Readonly<Record<string, Readonly<Record<string, MethodEntry>>>> = {
  files: FILE_METHODS,
  memory: MEMORY_METHODS,
  notes: NOTE_METHODS,
  branches: BRANCH_METHODS,
  approvals: APPROVAL_METHODS,
};

/** Returns whether a method changes the session, in another way than by a request or an answer. */
export function isChange(name: MethodName): boolean {
  const [group = '', method] = name.split('.');
  const table: Readonly<Record<string, MethodEntry>> = SESSION_METHODS;
  return (method === undefined ? table[group] : GROUPS[group]?.[method])?.changes === true;
}

type Prefixed<Prefix extends string, Group> = {
  [Name in keyof Group & string as `${Prefix}.${Name}`]: Group[Name];
};

/** Names of the schemas that accept exactly the values of this type. */
type Fitting<Value> = {
  [Name in ArgumentName]: IsSame<Comparable<Value>, Comparable<ArgumentType<Name>>> extends true
    ? Name
    : never;
}[ArgumentName];

type IsSame<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

/**
 * Removes differences that do not matter: `readonly`, and whether an optional property may be `undefined`. Keeps one that assignability
 * would hide: an optional property that only one of two types has.
 */
type Comparable<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends Uint8Array
    ? Uint8Array
    : Value extends readonly (infer Item)[]
      ? Comparable<Item>[]
      : Value extends object
        ? {
            -readonly [Key in keyof Value]-?: [
              Comparable<Exclude<Value[Key], undefined>>,
              object extends Pick<Value, Key> ? 'optional' : 'required',
            ];
          }
        : Value;
