/** Sessions as Svelte components see them: two stores, for Svelte 4 and 5. Importing is harmless on a server. */
import type { Readable } from 'svelte/store';
import { follow, NO_RUN, type RunView } from '../client/followed-run.js';
import { OPENING_VIEW, sharedSession, type OpenSession, type SessionView } from '../client/shared-session.js';

/**
 * A store with the state of a session, and the four actions a user can take. It changes at most once per frame while the model streams. Any
 * number of components may follow one session, and it does not matter who sent the request.
 *
 * @param session the store of `useSession`; while it has no session nothing runs, and `send` throws.
 * @example const run = useRun(view) // $run.text, $run.send('…'); with runes: fromStore(run).current
 */
export function useRun(session: Readable<SessionView>): Readable<RunView> {
  return {
    subscribe(show) {
      let stop = (): void => {};
      const release = session.subscribe(({ session: current }) => {
        stop();
        const run = current === null ? null : follow(current);
        stop = run?.subscribe(() => show(run.view())) ?? (() => {});
        show(run?.view() ?? NO_RUN);
      });
      return () => {
        release();
        stop();
      };
    },
  };
}

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
        show(OPENING_VIEW);
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
