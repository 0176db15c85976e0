import type { Dice } from './dice.js';

/**
 * Kinds of faults. Each strikes at an instant: the n-th time a session accesses something outside of its memory.
 *
 * - `crash` ends the worker at once; at a commit, before or after it was written
 * - `power` the same, and data that was not acknowledged may be lost
 * - `io`, `quota`, `closed` the store rejects one call and writes nothing of it
 * - `theft` another worker takes the session over, and this one has not noticed yet
 * - `broken-stream` a reply breaks off half way, with an error that may be retried
 * - `dead-model` the model cannot be reached
 * - `hang` a model's reply never continues; the user stops the run
 * - `silence` the user does not answer, and returns later
 * - `stop` the user stops the run
 * - `clock` the clock jumps by up to a day, forward or back
 */
export const FAULTS = [
  'crash',
  'power',
  'io',
  'quota',
  'closed',
  'theft',
  'broken-stream',
  'dead-model',
  'hang',
  'silence',
  'stop',
  'clock',
] as const;
export type FaultKind = (typeof FAULTS)[number];

/** Where a session accesses the outside. */
export type Place = 'open' | 'load' | 'commit' | 'model' | 'tool' | 'user';

export interface Fault {
  kind: FaultKind;
  /** From this instant on, it strikes at the first possible place. */
  at: number;
  /** Half of all crashes occur before the interrupted operation takes effect, half after. */
  after: boolean;
}

const EVERYWHERE: readonly Place[] = ['open', 'load', 'commit', 'model', 'tool', 'user'];
const PLACES: Record<FaultKind, readonly Place[]> = {
  crash: EVERYWHERE,
  power: EVERYWHERE,
  io: ['open', 'load', 'commit'],
  quota: ['commit'],
  closed: ['load', 'commit'],
  theft: ['load', 'commit', 'model', 'tool', 'user'],
  'broken-stream': ['model'],
  'dead-model': ['model'],
  hang: ['model'],
  silence: ['user'],
  stop: ['commit', 'model', 'tool', 'user'],
  clock: EVERYWHERE,
};

export function strikes({ kind, at }: Fault, place: Place, instant: number): boolean {
  return at <= instant && PLACES[kind].includes(place);
}

/** Returns one to four faults within a run of about this many instants, the earliest first. */
export function chooseFaults(dice: Dice, instants: number): Fault[] {
  const most = Math.ceil(instants * 1.3);
  return Array.from({ length: 1 + dice.below(4) }, () => ({
    kind: dice.pick(FAULTS),
    at: 1 + dice.below(most),
    after: dice.once(2),
  })).sort((one, other) => one.at - other.at);
}
