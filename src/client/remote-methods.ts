import type { MethodName, MethodTable } from '../wire/session-api.js';

/** Calls a method of the session in the worker. */
export type CallMethod = (name: MethodName, args: unknown[]) => Promise<unknown>;

/** Returns an object with a method for each entry of the table, which calls the method of that name in the worker. */
export function remoteMethods<Group>(prefix: string, table: MethodTable<Group>, call: CallMethod): Group {
  const methods = Object.keys(table).map((name) => [
    name,
    (...args: unknown[]) => call(`${prefix}.${name}` as MethodName, args),
  ]);
  return Object.fromEntries(methods) as Group;
}
