import { shallowRef, toValue, watch, type MaybeRefOrGetter } from 'vue';
import { OPENING, sharedSession, type OpenSession, type SessionView } from '../client/shared-session.js';
import { refsOf, type Refs } from './refs.js';

/**
 * The session of that name as refs, opened when the first component of the page uses it and closed when the last one is gone; components
 * that use the same name share it. Closing stops a run; with the same name everything is there again, also after a reload. It is never
 * opened on a server. Call it in `setup`, or in another effect scope: the session is released with it.
 *
 * @param name a session has one name; another name releases the first session and opens the other.
 * @param open how to open it.
 * @example const { session, error } = useSession('game', (session) => connect(makeWorker, { session }))
 */
export function useSession(name: MaybeRefOrGetter<string>, open: OpenSession): Refs<SessionView> {
  const view = shallowRef<SessionView>(OPENING);
  if (typeof document === 'undefined') return refsOf(view);
  watch(
    () => toValue(name),
    (current, _before, onCleanup) => {
      const shared = sharedSession(current);
      const show = (): void => {
        view.value = shared.view();
      };
      shared.opener = open;
      onCleanup(shared.subscribe(show));
      show();
    },
    { immediate: true, flush: 'sync' },
  );
  return refsOf(view);
}
