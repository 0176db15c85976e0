/** Sessions as Vue components see them: two composables, nothing to render. Importing is harmless on a server. */
import {
  computed,
  shallowRef,
  toValue,
  watch,
  type ComputedRef,
  type MaybeRefOrGetter,
  type ShallowRef,
} from 'vue';
import { follow, NO_RUN, type RunView } from '../client/followed-run.js';
import type { ClientSession } from '../client/session.js';
import { OPENING_VIEW, sharedSession, type OpenSession, type SessionView } from '../client/shared-session.js';

/**
 * The state of a session as refs, and the four actions a user can take. Refs change at most once per frame while the model streams. Any
 * number of components may follow one session, and it does not matter who sent the request.
 *
 * @param session of `useSession`, or any other; null until there is one: nothing runs, and `send` throws.
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
  const view = shallowRef<SessionView>(OPENING_VIEW);
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

type ViewMethod = (...args: never[]) => unknown;

/** The fields of a view as refs. Its functions stay functions. */
type Refs<View> = {
  readonly [Key in keyof View]: View[Key] extends ViewMethod ? View[Key] : ComputedRef<View[Key]>;
};

/** Returns refs to the fields of a view that is replaced when something changes, and functions that call those of the newest view. */
function refsOf<View extends object>(view: Readonly<ShallowRef<View>>): Refs<View> {
  const fields = Object.entries(view.value).map(([name, value]: [string, unknown]) => {
    const newest = (): unknown => view.value[name as keyof View];
    const call = (...args: never[]): unknown => (newest() as ViewMethod)(...args);
    return [name, typeof value === 'function' ? call : computed(newest)];
  });
  return Object.fromEntries(fields) as Refs<View>;
}
