import { describe, describeAsSentence, RoleZeroError } from '../core/error.js';
import { FULL, HOW_TO_FREE } from '../core/space.js';

/** A session that cannot even be read without some space: it is new, or its newest changes are only in its replica. */
export function noRoomToOpen(name: string, cause: unknown): RoleZeroError {
  return new RoleZeroError(
    'storage-full',
    `${FULL} Session '${name}' is new, or must be restored from its replica, which needs space. Remove other sessions with sessions.remove() (sessions.export() saves a copy first), then connect again.`,
    { name },
    cause,
  );
}

/**
 * Converts an error of IndexedDB to a `RoleZeroError` whose code says what to do. Browsers use one name for several errors and several
 * names for one error. A full disk is a QuotaExceededError, a DataError or an UnknownError, depending on backend and moment. Name, message
 * and phase therefore decide together.
 *
 * @param phase 'open' while connecting, 'use' once connected, 'reopen' while reconnecting after the browser closed the connection.
 */
export function storageError(error: unknown, phase: 'open' | 'use' | 'reopen'): RoleZeroError {
  if (error instanceof RoleZeroError) return error;
  const name = error instanceof Error ? error.name : '';
  const words = describe(error);
  if (meansFull(name, words)) {
    return new RoleZeroError('storage-full', `${FULL} Nothing was written. ${HOW_TO_FREE}`, {}, error);
  }
  if (isClosed(name, words, phase)) {
    return new RoleZeroError(
      'storage-closed',
      "The browser closed the connection to the database, perhaps because this site's data was cleared. Nothing was written; try again.",
      {},
      error,
    );
  }
  if (phase !== 'use') return openingError(name, phase, error);
  return new RoleZeroError('storage-failed', `The database failed: ${describeAsSentence(error)}`, {}, error);
}

function openingError(name: string, phase: 'open' | 'reopen', error: unknown): RoleZeroError {
  if (name === 'VersionError') {
    return new RoleZeroError(
      'storage-version',
      'The database was written by a newer release of rolezero. Reload or update this page; nothing was changed.',
      {},
      error,
    );
  }
  // On a completely full disk LevelDB closes, and cannot be opened until there is some free space.
  if (phase === 'reopen')
    return new RoleZeroError(
      'storage-closed',
      `The browser closed the database and cannot open it again now: ${describeAsSentence(error)} The disk may be full: free some space, then try again. Nothing was written.`,
      {},
      error,
    );
  // Without `indexedDB` the call itself fails; the message of that error describes this code and not the browser.
  const reason =
    error instanceof TypeError || error instanceof ReferenceError
      ? 'IndexedDB is not available here.'
      : `IndexedDB cannot be opened here: ${describeAsSentence(error)}`;
  return new RoleZeroError(
    'storage-unavailable',
    `${reason} It needs a page that is not sandboxed and a browser that allows site data.`,
    {},
    error,
  );
}

function meansFull(name: string, words: string): boolean {
  // Chromium: 'QuotaExceededError' with or without a message; LevelDB's 'DataError: Failed to write blobs (IOError)' and
  // 'FILE_ERROR_NO_SPACE', after which it closes the connection; SQLite's 'full disk'.
  return (
    name === 'QuotaExceededError' ||
    /failed to write blobs|full disk|disk (is )?full|error_no_space/i.test(words)
  );
}

function isClosed(name: string, words: string, phase: 'open' | 'use' | 'reopen'): boolean {
  // Transactions are aborted here only for known reasons, and only a closed connection makes calls here raise an InvalidStateError, whose
  // message differs much between Firefox and Chromium. Once connected, both names therefore mean that the connection is closed.
  if (name === 'AbortError' || (name === 'InvalidStateError' && phase === 'use')) return true;
  // Chromium: 'Connection is closing because of: Force close delete origin', also while opening, when data is cleared at that moment;
  // WebKit: 'Connection to Indexed Database server lost'.
  return name === 'UnknownError' && /\bclos(e|ed|ing)\b|connection .*lost/i.test(words);
}
