import type { SessionInfo } from '../base/store.js';
import { forgetPositions } from './sentinel.js';
import { indexedDbStorage } from '../storage/indexed-db-storage.js';

/** One for all calls: each storage that was used keeps a connection to the database open. */
const storage = /* @__PURE__ */ indexedDbStorage();

/** The sessions kept in this browser, without opening any. */
export const sessions = {
  list(): Promise<SessionInfo[]> {
    return storage.list();
  },
  /** @throws RoleZeroError `session-busy` when it is open somewhere, or was until just now; `storage-…` when it cannot be removed. */
  async remove(name: string): Promise<void> {
    await storage.remove(name);
    forgetPositions(name);
  },
  /**
   * Restores what `session.export()` gave, under another name if one is given.
   * @throws RoleZeroError `invalid` when the document is not an export or the name is taken.
   */
  import(document: unknown, name?: string): Promise<SessionInfo> {
    return storage.import(document, name);
  },
};
