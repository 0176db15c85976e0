import { describeValue } from '../core/describe-value.js';
import { RoleZeroError } from '../core/error.js';
import { checkSessionRecord } from '../core/session-record-check.js';
import type { SessionExport, SessionInfo, Storage } from '../core/store.js';
import { forgetPositions } from './sentinel.js';
import { indexedDbStorage } from '../storage/indexed-db-storage.js';

let opened: Storage | undefined;
/** Returns one storage for all calls, because each used storage keeps a connection to the database open. */
const storage = (): Storage => (opened ??= indexedDbStorage());

/** The sessions stored in this browser. None of these calls opens a session. */
export const sessions: {
  list(): Promise<SessionInfo[]>;
  /** @throws RoleZeroError `session-busy` when it is open somewhere, or was until just now; `storage-…` when it cannot be removed. */
  remove(name: string): Promise<void>;
  /**
   * Removes what sessions share under a name: the notes and memories of roles with `shared: name`. Open sessions lose them at once; they may
   * store new ones. Removing a session does not remove them.
   * @throws RoleZeroError `storage-…` when they cannot be removed.
   */
  removeShared(name: string): Promise<void>;
  /**
   * Returns the same document as `session.export()`. It only reads. It therefore works for a session that is open elsewhere, or that cannot
   * be opened because there is no space left to record its owner.
   * @throws RoleZeroError `not-found`; `storage-…` when it cannot be read.
   */
  export(name: string): Promise<SessionExport>;
  /**
   * Restores a document of `session.export()` or `sessions.export()`, under another name if one is given. A document that could not be
   * opened is rejected as a whole.
   * @throws RoleZeroError `invalid` when the document is not an export, or damaged, or the name is taken; `storage-version` when a newer
   * release wrote it.
   */
  import(document: unknown, name?: string): Promise<SessionInfo>;
} = {
  async list(...args) {
    checkCount('list', args, 0);
    return storage().list();
  },
  async remove(...args) {
    checkCount('remove', args, 1);
    const [name] = args;
    checkNameArgument('remove', name);
    await storage().remove(name);
    forgetPositions(name);
  },
  async removeShared(...args) {
    checkCount('removeShared', args, 1);
    checkNameArgument('removeShared', args[0]);
    await storage().removeShared?.(args[0]);
  },
  async export(...args) {
    checkCount('export', args, 1);
    checkNameArgument('export', args[0]);
    return storage().export(...args);
  },
  async import(...args) {
    checkCount('import', args, 1, 2);
    if (args[1] !== undefined) checkNameArgument('import', args[1]);
    const [document, name] = args;
    return storage().import(document, name, checkSessionRecord);
  },
};

/** Checks the number of arguments, for untyped callers. @throws RoleZeroError `invalid` */
function checkCount(
  method: keyof typeof sessions,
  args: readonly unknown[],
  least: number,
  most = least,
): void {
  const { length } = args;
  if (length >= least && length <= most) return;
  const [verb, limit] = length < least ? ['needs', least] : ['takes', most];
  const words = `${limit === 0 ? 'no' : limit} argument${limit === 1 ? '' : 's'}`;
  throw new RoleZeroError('invalid', `sessions.${method}() ${verb} ${words}, but was given ${length}.`);
}

/** @throws RoleZeroError `invalid` when the name of a session is not a string. */
function checkNameArgument(method: keyof typeof sessions, name: unknown): void {
  if (typeof name === 'string') return;
  const what = `\`name\` of sessions.${method}()`;
  throw new RoleZeroError('invalid', `${what} must be a string, but is ${describeValue(name)}.`);
}
