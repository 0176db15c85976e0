import { useEffect, useSyncExternalStore } from 'react';
import { OPENING, sharedSession, type OpenSession, type SessionView } from '../client/shared-session.js';

/**
 * The session of that name, opened when the first component of the page uses it and closed when the last one is gone; components that
 * use the same name share it. Closing stops a run; with the same name everything is there again, also after a reload.
 * Safe in strict mode and on a server, where it is never opened.
 *
 * @param name a session has one name; another name lets the first session go and opens the other.
 * @param open how to open it; the next opening uses the newest one. A changed function does not reopen the session.
 * @example const { session, error } = useSession('game', (session) => connect(makeWorker, { session }))
 */
export function useSession(name: string, open: OpenSession): SessionView {
  const shared = sharedSession(name);
  // Before the subscription, which opens: effects run in the order they are written in.
  useEffect(() => {
    shared.opener = open;
  });
  return useSyncExternalStore(shared.subscribe, shared.view, () => OPENING);
}
