/** Sessions as React components see them: two hooks, nothing to render. Importing is harmless on a server. */
import { useEffect, useSyncExternalStore } from 'react';
import { follow, NO_RUN, type RunView } from '../client/followed-run.js';
import type { ClientSession } from '../client/session.js';
import { OPENING_VIEW, sharedSession, type OpenSession, type SessionView } from '../client/shared-session.js';

/**
 * The state of a session and the four actions a user can take. Renders the component again when something changes;
 * at most once per frame while the model streams. Any number of components may follow one session, and it does not matter who sent the request.
 *
 * @param session of `useSession`, or any other; null until there is one: nothing runs, and `send` throws.
 * @example const { running, text, activity, question, error, send, stop, answer } = useRun(session)
 */
export function useRun(session: ClientSession | null): RunView {
  const run = session === null ? null : follow(session);
  return useSyncExternalStore(run?.subscribe ?? subscribeToNothing, run?.view ?? noRun, noRun);
}

const subscribeToNothing = (): (() => void) => () => {};
const noRun = (): RunView => NO_RUN;

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
  return useSyncExternalStore(shared.subscribe, shared.view, () => OPENING_VIEW);
}
