import type { Readable } from 'svelte/store';
import { follow, NO_RUN, type RunView } from '../client/followed-run.js';
import type { SessionView } from '../client/shared-session.js';

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
