import { RoleZeroError } from '../core/error.js';

/** Errors with the same message in every kind of storage. */

export function sessionBusy(name: string): RoleZeroError {
  return new RoleZeroError(
    'session-busy',
    `Session '${name}' is open in another tab or worker. Close it there, open it read-only with { view: true }, or open it here with { takeOver: true }; the other one can then no longer write.`,
    { name },
  );
}

export function sessionFenced(name: string, detail: Record<string, unknown> = {}): RoleZeroError {
  return new RoleZeroError(
    'session-fenced',
    `Session '${name}' was taken over by another tab or worker. Nothing was written; open it again to continue from what is stored.`,
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

/** The error of an open session whose data the browser deletes under it. */
export function sessionCleared(name: string): RoleZeroError {
  return new RoleZeroError(
    'storage-lost',
    `The data of this site was cleared, by the user or by the browser: nothing of session '${name}' is left here. Connect again to begin an empty session under this name, or restore an export with sessions.import().`,
    { name, isOpen: true },
  );
}

export function sessionLost(name: string, head: number): RoleZeroError {
  return new RoleZeroError(
    'storage-lost',
    `The browser deleted everything that session '${name}' had stored here (${head} changes), or its database was deleted. Restore it with sessions.import() from an export; connecting again starts an empty session.`,
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

/** Maximum length of a session name, in UTF-16 units. */
const maximumNameLength = 200;

/**
 * Checks the name of a session. Any text is valid, including dots, slashes and emoji, because a name is never used as a path.
 * @throws RoleZeroError `invalid` when it is empty, longer than 200 characters, or contains half of a surrogate pair (lock names are
 * compared as UTF-8, in which two different halves are equal).
 */
export function checkSessionName(name: unknown): string {
  if (typeof name !== 'string' || name === '') {
    throw new RoleZeroError('invalid', 'A session needs a name: any text that is not empty.');
  }
  if (name.length > maximumNameLength) {
    throw new RoleZeroError(
      'invalid',
      `A session's name may have ${maximumNameLength} characters; this one has ${name.length}.`,
      { start: name.slice(0, 40), length: name.length },
    );
  }
  if (/\p{Surrogate}/u.test(name)) {
    throw new RoleZeroError('invalid', "A session's name must be well-formed Unicode text.", { name });
  }
  return name;
}
