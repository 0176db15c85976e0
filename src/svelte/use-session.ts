import type { Readable } from 'svelte/store';
import { OPENING, sharedSession, type OpenSession, type SessionView } from '../client/shared-session.js';

/**
 * A store with the session of that name, opened when the first component of the page subscribes and closed when the last one is gone;
 * components that use the same name share it. Closing stops a run; with the same name everything is there again, also after a reload. It is
 * never opened on a server.
 *
 * @param open how to open it; the next opening uses the newest one.
 * @example const view = useSession('game', (session) => connect(makeWorker, { session })) // $view.session, $view.error
 */
export function useSession(name: string, open: OpenSession): Readable<SessionView> {
  return {
    subscribe(show) {
      if (typeof document === 'undefined') {
        show(OPENING);
        return () => {};
      }
      const shared = sharedSession(name);
      shared.opener = open;
      const release = shared.subscribe(() => show(shared.view()));
      show(shared.view());
      return release;
    },
  };
}
