import type { Session } from '../session/session.js';
import {
  GROUPS,
  SESSION_METHODS,
  type MethodArguments,
  type MethodEntry,
  type MethodName,
  type SessionImplementation,
  type SessionMethods,
} from '../wire/session-api.js';

/** The session API by the names that cross the wire, such as `plan` and `files.read`. */
export const METHODS: ReadonlyMap<unknown, MethodEntry> = new Map<unknown, MethodEntry>([
  ...Object.entries(SESSION_METHODS),
  ...Object.entries(GROUPS).flatMap(([group, table]) =>
    Object.entries(table).map(([name, entry]) => [`${group}.${name}`, entry] as const),
  ),
]);

export function isMethodName(name: unknown): name is MethodName {
  return METHODS.has(name);
}

/**
 * Implements the session API. A missing method is a compile error. `reportView` sends the page what has changed without an event: a closed
 * question, work that a rejected request did not abandon, or a request that waits again as its change could not be stored.
 */
export function sessionMethods(session: Session, reportView: () => void): SessionImplementation {
  return {
    send: (text, options) => sendOnce(session, text, options).finally(reportView),
    resume: async () => (await session.resume()).id,
    stop: () => session.stop(),
    answer: async (id, text) => {
      await session.answer(id, text);
      reportView();
    },
    cancel: (callId) => session.cancel(callId),
    withdraw: (messageId) => session.withdraw(messageId).finally(reportView),
    revise: (messageId, text) => session.revise(messageId, text).finally(reportView),
    prepare: () => session.prepare(),
    rewind: (id, options) => session.rewind(id, options).finally(reportView),
    regenerate: async (id, options) => (await session.regenerate(id, options).finally(reportView)).id,
    messages: (query) => session.newest(query),
    plan: (role) => session.plan(role),
    inspect: () => session.inspect(),
    steps: (query) => session.steps(query),
    prompt: (hash) => session.prompt(hash),
    usage: () => session.usage(),
    space: () => session.space(),
    export: () => session.export(),
    callPart: (part, method, input) => session.callPart(part, method, input),
    files: session.files,
    memory: session.memory,
    notes: session.notes,
    branches: session.branches,
    approvals: session.approvals,
  };
}

/** Sends a message, or continues the run of one that the session already has. Returns null when that run has ended. */
async function sendOnce(
  session: Session,
  ...[text, options = {}]: MethodArguments<'send'>
): Promise<string | null> {
  if (options.id === undefined || !session.hasMessage(options.id))
    return (await session.send(text, options)).id;
  if (session.running !== null) return session.running.id;
  return session.resumable ? (await session.resume()).id : null;
}

/** Calls a method by the name that crosses the wire. Its arguments must have been checked. */
export function invoke(methods: SessionImplementation, name: MethodName, args: readonly unknown[]): unknown {
  const [group, method] = name.split('.') as
    ['files' | 'memory' | 'notes' | 'branches' | 'approvals', string] | [keyof SessionMethods];
  const target = method === undefined ? methods : methods[group];
  type Target = Record<string, (...args: readonly unknown[]) => unknown>;
  const call = (target as unknown as Target)[method ?? group];
  if (call === undefined) throw new TypeError(`Session method ${name} has no implementation.`);
  return call(...args);
}
