import { useSyncExternalStore } from 'react';
import type { ClientSession } from '../client/session.js';
import { follow, NO_RUN, type RunView } from '../client/followed-run.js';

/**
 * The state of a session and the four actions a user can take. Renders the component again when something changes;
 * at most once per frame while the model streams. Any number of components may follow one session, and it does not matter who sent the request.
 *
 * @param session of `useSession`, or any other; null while there is none: nothing runs, and `send` throws.
 * @example const { running, text, activity, question, error, send, stop, answer } = useRun(session)
 */
export function useRun(session: ClientSession | null): RunView {
  const run = session === null ? null : follow(session);
  return useSyncExternalStore(run?.subscribe ?? nothing, run?.view ?? noRun, noRun);
}

const nothing = (): (() => void) => () => {};
const noRun = (): RunView => NO_RUN;
