import { Dice } from '../simulation/dice.js';

/** The operations, and how often each is chosen. */
const WEIGHTS = {
  open: 6,
  view: 3,
  takeOver: 3,
  close: 2,
  kill: 4,
  reload: 3,
  send: 14,
  attach: 3,
  sendRefused: 2,
  stopAndSend: 3,
  sendAndClose: 2,
  resume: 6,
  stop: 4,
  answer: 10,
  answerTwice: 2,
  openGate: 6,
  write: 8,
  writeAll: 3,
  remove: 3,
  move: 2,
  copy: 2,
  makeDirectory: 1,
  undoNewest: 6,
  undoAny: 4,
  undoTurn: 3,
  forgetHistory: 2,
  writeNote: 4,
  changeNote: 3,
  removeNote: 2,
  copyNotes: 1,
  changeMemory: 3,
  forget: 3,
  archive: 2,
  copyMemories: 1,
  writeAsViewer: 2,
  fork: 3,
  removeSession: 2,
  removeShared: 1,
  clearData: 2,
  fillDisk: 2,
  freeDisk: 3,
  turnClock: 2,
  check: 3,
} as const;
export type OperationKind = keyof typeof WEIGHTS;
export const OPERATIONS = Object.keys(WEIGHTS) as OperationKind[];
const DRAWN = OPERATIONS.flatMap((kind) => Array.from({ length: WEIGHTS[kind] }, () => kind));

/** One operation. What its numbers select depends on what exists when it runs, so a history remains valid when some are left out. */
export interface Operation {
  kind: OperationKind;
  /** Selects a session or a tab. */
  where: number;
  /** Selects everything else. */
  what: number;
  /** Turns of the event loop before it starts. */
  after: number;
  /** The next operation waits for it. */
  waits: boolean;
}

/** How the roles of all sessions of a history are made. */
export interface Settings {
  seed: number;
  storage: 'memory' | 'database';
  roles: 1 | 2;
  memory: 'none' | 'own' | 'shared';
  notes: 'none' | 'own' | 'shared';
  /** Every mail needs a permission. */
  asks: boolean;
  callPlan: 'classic' | 'merged';
}

/** Returns the names of the roles of a session. */
export function roleNames({ roles }: Settings): string[] {
  return roles === 1 ? ['Zero'] : ['Zero', 'Ann'];
}

export interface Mixture {
  settings: Settings;
  operations: Operation[];
}

/** Returns the settings and operations that follow from a seed. */
export function mixtureOf(seed: number, length: number): Mixture {
  const dice = new Dice(seed);
  const settings: Settings = {
    seed,
    storage: dice.pick(['memory', 'database']),
    roles: dice.pick([1, 1, 2]),
    memory: dice.pick(['none', 'own', 'own', 'shared']),
    notes: dice.pick(['none', 'own', 'own', 'shared']),
    asks: dice.once(2),
    callPlan: dice.pick(['classic', 'merged', 'merged']),
  };
  const operations = Array.from({ length }, (): Operation => ({
    kind: dice.pick(DRAWN),
    where: dice.below(1_000),
    what: dice.below(1_000_000),
    after: dice.once(3) ? dice.below(40) : dice.below(4),
    waits: dice.once(2),
  }));
  return { settings, operations };
}

/** Returns the shortest history found that still fails: leaves out ever smaller parts, then simplifies what remains. */
export async function shrunk(
  mixture: Mixture,
  fails: (mixture: Mixture) => Promise<boolean>,
): Promise<Mixture> {
  const { settings } = mixture;
  let { operations } = mixture;
  for (let size = Math.ceil(operations.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < operations.length;) {
      const fewer = operations.toSpliced(at, size);
      if (await fails({ settings, operations: fewer })) operations = fewer;
      else at += size;
    }
  }
  for (let at = 0; at < operations.length; at++) {
    const operation = operations[at];
    if (operation === undefined) break;
    for (const simpler of [{ waits: true }, { after: 0 }, { where: 0 }, { what: 0 }]) {
      const simplified = operations.with(at, { ...(operations[at] ?? operation), ...simpler });
      if (await fails({ settings, operations: simplified })) operations = simplified;
    }
  }
  return { settings, operations };
}
