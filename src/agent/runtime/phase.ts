import { RoleZeroError } from '../../core/error.js';
import type { Phase } from '../../core/events.js';

/** Phases that may follow each phase. Every phase may also fail. After a failure or an interruption, the same phase is entered again. */
const NEXT: Record<Phase, readonly Phase[]> = {
  idle: ['classifying', 'thinking', 'acting'],
  classifying: ['thinking', 'waiting-human', 'ended'],
  thinking: ['acting', 'waiting-human', 'ended'],
  acting: ['thinking', 'waiting-human', 'ended'],
  'waiting-human': ['classifying', 'thinking', 'acting', 'ended'],
  ended: ['idle', 'classifying', 'thinking', 'acting'],
  failed: ['classifying', 'thinking', 'acting', 'waiting-human', 'ended'],
};

/** @throws RoleZeroError `internal` when `to` cannot follow `from`. */
export function assertTransition(from: Phase, to: Phase): void {
  if (to === 'failed' || to === 'idle' || NEXT[from].includes(to)) return;
  throw new RoleZeroError('internal', `A role cannot go from ${from} to ${to}.`, { from, to });
}
