import type { SessionInfo } from '../base/store.js';
import { forgetPositions } from './sentinel.js';
import { indexedDbStorage } from '../storage/indexed-db-storage.js';

/** The sessions kept in this browser, without opening any. */
export const sessions = {
  list(): Promise<SessionInfo[]> {
    return indexedDbStorage().list();
  },
  /** @throws RoleZeroError `session-busy` when it is open somewhere. */
  async remove(name: string): Promise<void> {
    await indexedDbStorage().remove(name);
    forgetPositions(name);
  },
  /**
   * Restores what `session.export()` gave, under another name if one is given.
   * @throws RoleZeroError `invalid` when the document is not an export or the name is taken.
   */
  import(document: unknown, name?: string): Promise<SessionInfo> {
    return indexedDbStorage().import(document, name);
  },
};
