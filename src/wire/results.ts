import { RoleZeroError, toRoleZeroError, type ErrorData } from '../core/error.js';

/** What a call across threads gives back: errors lose their class on the way, so they travel as data. */
export type Result<Value> = { ok: true; value: Value } | { ok: false; error: ErrorData };

/** Runs a call on the side that is asked; never rejects. */
export async function settle<Value>(call: () => Value | Promise<Value>): Promise<Result<Value>> {
  try {
    return { ok: true, value: await call() };
  } catch (error) {
    return { ok: false, error: toRoleZeroError(error).toData() };
  }
}

/** The value on the side that asked. @throws RoleZeroError what went wrong on the other side. */
export function unwrap<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw RoleZeroError.fromData(result.error);
}
