/**
 * The tables of the session API agree with the documented signatures and with the implementation. Lines marked with `@ts-expect-error`
 * must not compile. Nothing here is run.
 */
import type { Session } from 'rolezero';
import {
  FILE_METHODS,
  MEMORY_METHODS,
  SESSION_METHODS,
  type BranchMethods,
  type FileMethods,
  type MemoryMethods,
  type MethodTable,
  type NoteMethods,
  type SessionImplementation,
  type SessionMethods,
} from '../../src/wire/session-api.js';
import { sessionMethods } from '../../src/worker/session-methods.js';

declare const implementation: ReturnType<typeof sessionMethods>;
declare const session: Session;

const { plan: _plan, ...withoutPlan } = SESSION_METHODS;
const { stat: _stat, ...withoutStat } = FILE_METHODS;
const { plan: _planned, ...withoutPlanned } = implementation;

/** The page documents every method: those on the session itself, `files`, `memory`, `notes`, and `branches`. `send`, `resume` and `regenerate` return a `Run`, which has `stop`. */
export const documented: Omit<SessionMethods, 'send' | 'resume' | 'regenerate' | 'stop'> = session;
export const starts: (...args: Parameters<SessionMethods['send']>) => unknown = session.send;
export const documentedFiles: FileMethods = session.files;
export const documentedMemory: MemoryMethods = session.memory;
export const documentedNotes: NoteMethods = session.notes;
export const documentedBranches: BranchMethods = session.branches;

/** A method that is in the table of a future release. */
interface MoreMethods extends SessionMethods {
  rename(name: string): Promise<void>;
}

export const tables: unknown[] = [
  { ...SESSION_METHODS, rename: { args: ['id'] } } satisfies MethodTable<MoreMethods>,
  // @ts-expect-error -- a documented method has an entry
  SESSION_METHODS satisfies MethodTable<MoreMethods>,
  // @ts-expect-error -- a documented method has an entry
  withoutPlan satisfies MethodTable<SessionMethods>,
  // @ts-expect-error -- a documented method of the files has an entry
  withoutStat satisfies MethodTable<FileMethods>,
  // @ts-expect-error -- an entry has a documented method
  { ...SESSION_METHODS, rename: { args: ['id'] } } satisfies MethodTable<SessionMethods>,
  // @ts-expect-error -- an entry has a documented method
  { ...MEMORY_METHODS, rename: { args: ['id'] } } satisfies MethodTable<MemoryMethods>,
  // @ts-expect-error -- a parameter has a schema
  { ...SESSION_METHODS, plan: { args: [] } } satisfies MethodTable<SessionMethods>,
  // @ts-expect-error -- a schema has a parameter
  { ...SESSION_METHODS, usage: { args: ['role?'] } } satisfies MethodTable<SessionMethods>,
  // @ts-expect-error -- a schema accepts the type of its parameter
  { ...FILE_METHODS, read: { args: ['content'] } } satisfies MethodTable<FileMethods>,
  // @ts-expect-error -- the schema of an optional parameter accepts undefined
  { ...FILE_METHODS, list: { args: ['path'] } } satisfies MethodTable<FileMethods>,
  // @ts-expect-error -- the schema of a required parameter does not accept undefined
  { ...FILE_METHODS, read: { args: ['path?'] } } satisfies MethodTable<FileMethods>,
  // @ts-expect-error -- a schema knows every option that is documented
  { ...MEMORY_METHODS, list: { args: ['memoryQuery'] } } satisfies MethodTable<MemoryMethods>,
  // @ts-expect-error -- a schema knows no option that is not documented
  { ...SESSION_METHODS, steps: { args: ['messageQuery'] } } satisfies MethodTable<SessionMethods>,
  // @ts-expect-error -- an entry has no other property
  { ...SESSION_METHODS, plan: { args: ['role?'], view: true } } satisfies MethodTable<SessionMethods>,
];

export const implementations: unknown[] = [
  implementation satisfies SessionImplementation,
  // @ts-expect-error -- a method has an implementation
  withoutPlanned satisfies SessionImplementation,
  // @ts-expect-error -- an implementation has the documented result
  { ...implementation, plan: () => 'later' } satisfies SessionImplementation,
  // @ts-expect-error -- an implementation has the documented parameters
  { ...implementation, plan: (role: number) => session.plan(String(role)) } satisfies SessionImplementation,
  // @ts-expect-error -- an implementation has a method
  { ...implementation, rename: () => undefined } satisfies SessionImplementation,
];
