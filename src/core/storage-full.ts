import { RoleZeroError } from './error.js';

export const FULL = "The disk or this site's storage quota is full.";
export const HOW_TO_FREE =
  'To free space, call memory.archive(), memory.forget(), files.forgetHistory() or files.remove() of an open session, or sessions.remove() for one that is not open; sessions.export() saves a copy first.';

/** Returns whether something could not be stored for lack of space. */
export function isFull(error: unknown): boolean {
  return error instanceof RoleZeroError && error.code === 'storage-full';
}

/** Like `isFull`, and true when the browser closed the database: LevelDB does that on a completely full disk. */
export function mayLackSpace(error: unknown): boolean {
  return isFull(error) || (error instanceof RoleZeroError && error.code === 'storage-closed');
}

/** A change of a session that is read-only for lack of space. */
export function readOnlyForLackOfSpace(name: string, cause?: unknown): RoleZeroError {
  return new RoleZeroError(
    'storage-full',
    `${FULL} Session '${name}' is read-only until there is room. ${HOW_TO_FREE}`,
    { name, readOnly: true },
    cause,
  );
}
