import { RoleZeroError } from '../core/error.js';

/** Errors with the same message in every kind of storage. */

export function sessionBusy(name: string): RoleZeroError {
  return new RoleZeroError(
    'session-busy',
    `Session '${name}' is open in another tab or worker. Close it there, look on with { view: true }, or open it here with { takeOver: true }, which ends the other one's writing.`,
    { name },
  );
}

export function sessionFenced(name: string, detail: Record<string, unknown> = {}): RoleZeroError {
  return new RoleZeroError(
    'session-fenced',
    `Session '${name}' was taken over by another tab or worker. Nothing was written; open it again to go on from what is stored.`,
    { name, ...detail },
  );
}

export function sessionRolledBack(name: string, lost: number): RoleZeroError {
  return new RoleZeroError(
    'session-fenced',
    `The browser lost the newest ${lost} changes of session '${name}'. Nothing was written; open the session again to continue from what is stored.`,
    { name, lost },
  );
}

export function sessionGone(name: string): RoleZeroError {
  return new RoleZeroError(
    'session-fenced',
    `Session '${name}' is no longer stored: it was removed, or the browser cleared this site's data. Nothing was written.`,
    { name, gone: true },
  );
}

export function sessionLost(name: string, head: number): RoleZeroError {
  return new RoleZeroError(
    'storage-lost',
    `The browser has thrown away all that session '${name}' had stored here (${head} changes), or somebody deleted its database. Bring it back with sessions.import() from an export; connecting once more begins it anew.`,
    { name, head },
  );
}

export function storeClosed(name: string): RoleZeroError {
  return new RoleZeroError('storage-closed', `Session '${name}' was closed here. Open it again to use it.`, {
    name,
  });
}

export function noSuchSession(name: string): RoleZeroError {
  return new RoleZeroError(
    'not-found',
    `There is no session '${name}'. Connect under that name to begin a new one.`,
    { name },
  );
}

export function nameTaken(name: string): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    `There is already a session '${name}'. Import under another name, or remove that session first.`,
    { name },
  );
}
