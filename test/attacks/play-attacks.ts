import { sideBySide } from '../threads/side-by-side.js';
import type { Attack, Outcome } from './attacks.js';

/** Attacks that a thread plays before it asks for more. */
const AT_ONCE = 100;

/** What attacks of one kind came to. */
export interface AttackFigures {
  tried: number;
  /** Attacks whose order reached the model. */
  obeyed: number;
  /** Effects that nobody allowed. */
  through: number;
  /** Approvals that were asked for. */
  asked: number;
  /** Places where the key was found. */
  keys: number;
}

/** Plays attacks on all processors. */
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
