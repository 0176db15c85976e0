import type { SessionStore } from '../../../../src/core/store.js';
import type { RoleContext } from '../../../../src/agent/runtime/context.js';
import { Journal } from '../../../../src/agent/runtime/journal.js';
import { LongTermRows } from '../../../../src/parts/long-term/long-term-rows.js';

/** The older memories of the role Zero in a session, without the role. `context` replaces how they are read. */
export function rowsOfSession(
  session: SessionStore,
  context: Pick<RoleContext, 'openFile'> & Partial<Pick<RoleContext, 'read' | 'load'>> = {},
): { journal: Journal; store: LongTermRows } {
  const journal = new Journal(
    (writes) => session.commit(writes, session.random),
    () => {},
  );
  const store = new LongTermRows(
    'Zero',
    () => journal,
    () => ({
      read: (table, keys) => session.read(table, keys),
      load: (table, range) => session.load(table, range),
      ...context,
    }),
  );
  return { journal, store };
}
