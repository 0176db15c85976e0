import { t } from '../text/index.js';
import { isElsewhere, type State } from './app-state.js';

/** Why the open session cannot be changed here; null when it can. */
export function readOnlyReason(state: Pick<State, 'failure' | 'viewing' | 'lacksSpace'>): string | null {
  if (isElsewhere(state)) return t.busy;
  if (!state.viewing) return null;
  return state.lacksSpace ? t.noSpace : t.viewing;
}

/** Whether something can be deleted from the open session. Without space for changes, that makes some. */
export function mayDelete(state: Pick<State, 'failure' | 'viewing' | 'lacksSpace'>): boolean {
  return state.lacksSpace || readOnlyReason(state) === null;
}
