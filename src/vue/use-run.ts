import { shallowRef, toValue, watch, type MaybeRefOrGetter } from 'vue';
import { follow, NO_RUN, type RunView } from '../client/followed-run.js';
import type { ClientSession } from '../client/session.js';
import { refsOf, type Refs } from './refs.js';

/**
 * The state of a session as refs, and the four actions a user can take. Refs change at most once per frame while the model streams. Any
 * number of components may follow one session, and it does not matter who sent the request.
 *
 * @param session of `useSession`, or any other; null while there is none: nothing runs, and `send` throws.
 * @example const { running, text, activity, question, error, send, stop, answer } = useRun(session)
 */
export function useRun(session: MaybeRefOrGetter<ClientSession | null>): Refs<RunView> {
  const view = shallowRef<RunView>(NO_RUN);
  watch(
    () => toValue(session),
    (current, _before, onCleanup) => {
      const run = current === null ? null : follow(current);
      const show = (): void => {
        view.value = run?.view() ?? NO_RUN;
      };
      show();
      if (run !== null) onCleanup(run.subscribe(show));
    },
    { immediate: true, flush: 'sync' },
  );
  return refsOf(view);
}
