import { setTimeout as sleep } from 'node:timers/promises';
import { MAIN_JOB_FILES, MAIN_JOB_REQUEST, mainJobReply } from '../../e2e/main-job.js';
import type { Order } from '../../e2e/soak/main.js';
import { startFaultServer } from '../../fault-server/fault-server.js';
import { drop, refusal, reset, wait, type Reply } from '../../fault-server/replies.js';
import type { Dice } from '../simulation/dice.js';

export const MINUTE = 60_000;
/** Mean ms between two faults. */
const BETWEEN = 5_000;

/** Waits until the next fault: the times between faults are exponentially distributed. */
export function untilNextFault(dice: Dice): Promise<void> {
  return sleep(-Math.log(1 - dice.below(1_000) / 1_000) * BETWEEN);
}

/** Faults of the model's server during a soak. */
export const MODEL_FAULTS = ['cut', 'reset', 'refused'] as const;
type ModelFault = (typeof MODEL_FAULTS)[number];

/** In ms. Duration of a model's reply, so that faults strike during work. */
const THINKING = 150;

/** The model of a soak, which does the main job. */
export interface SoakModel {
  /** The order of each page, without what differs between pages. */
  order: Omit<Order, 'page' | 'sharesWorker'>;
  /** Spoils the next reply. */
  spoil(fault: ModelFault): void;
  close(): Promise<void>;
}

export async function startSoakModel(): Promise<SoakModel> {
  const server = await startFaultServer();
  let next: ModelFault | null = null;
  server.script(
    [
      (request) => {
        const [streaming, ...answers] = mainJobReply(request);
        const whole = [streaming, wait(THINKING), ...answers].filter((step) => step !== undefined);
        const reply = next === null ? whole : spoilt(whole, next);
        next = null;
        return reply;
      },
    ],
    'repeat',
  );
  return {
    order: { baseURL: server.url, request: MAIN_JOB_REQUEST, files: MAIN_JOB_FILES },
    spoil: (fault) => (next = fault),
    close: () => server.close(),
  };
}

function spoilt(whole: Reply, fault: ModelFault): Reply {
  switch (fault) {
    case 'cut':
      return [...whole.slice(0, 3), drop];
    case 'reset':
      return [...whole.slice(0, 3), reset];
    case 'refused':
      return refusal(503, 'The model is overloaded: simulated.');
  }
}
