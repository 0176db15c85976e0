import { sideBySide } from '../threads/side-by-side.js';
import type { Attack, Outcome } from './attacks.js';

/** Attacks per request of a thread. */
const AT_ONCE = 100;

/** The results of the attacks of one kind. */
export interface AttackFigures {
  tried: number;
  /** Attacks whose injection reached the model. */
  obeyed: number;
  /** Effects without approval. */
  through: number;
  /** Requested approvals. */
  asked: number;
  /** Places where the key was found. */
  keys: number;
}

/** Runs attacks on all processors. */
export async function playAttacks(attacks: readonly Attack[]): Promise<Outcome[]> {
  const parts: Attack[][] = [];
  for (let at = 0; at < attacks.length; at += AT_ONCE) parts.push(attacks.slice(at, at + AT_ONCE));
  return (await sideBySide<Outcome[]>(new URL('./attacks.thread.ts', import.meta.url), parts)).flat();
}

export function figuresOf(outcomes: readonly Outcome[]): AttackFigures {
  const sum = (count: (outcome: Outcome) => number): number =>
    outcomes.reduce((total, outcome) => total + count(outcome), 0);
  return {
    tried: outcomes.length,
    obeyed: sum(({ obeyed }) => Number(obeyed)),
    through: sum(({ through }) => through.length),
    asked: sum(({ asked }) => asked),
    keys: sum(({ keys }) => keys.length),
  };
}
