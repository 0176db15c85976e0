import type { SessionExport, SessionInfo, Storage } from '../core/store.js';
import { forgetPositions } from './sentinel.js';
import { indexedDbStorage } from '../storage/indexed-db-storage.js';

let opened: Storage | undefined;
/** Returns one storage for all calls, because each used storage keeps a connection to the database open. */
const storage = (): Storage => (opened ??= indexedDbStorage());

/** The sessions stored in this browser. None of these calls opens a session. */
export const sessions = {
  list(): Promise<SessionInfo[]> {
    return storage().list();
  },
  /** @throws RoleZeroError `session-busy` when it is open somewhere, or was until just now; `storage-…` when it cannot be removed. */
  async remove(name: string): Promise<void> {
    await storage().remove(name);
    forgetPositions(name);
  },
  /**
   * Returns the same document as `session.export()`. It only reads. It therefore works for a session that is open elsewhere, or that cannot
   * be opened because there is no space left to record its owner.
   * @throws RoleZeroError `not-found`; `storage-…` when it cannot be read.
   */
  export(name: string): Promise<SessionExport> {
    return storage().export(name);
  },
  /**
   * Restores a document of `session.export()` or `sessions.export()`, under another name if one is given.
   * @throws RoleZeroError `invalid` when the document is not an export or the name is taken.
   */
  import(document: unknown, name?: string): Promise<SessionInfo> {
    return storage().import(document, name);
  },
};
