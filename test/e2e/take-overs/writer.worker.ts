import { toRoleZeroError } from '../../../src/core/error.js';
import type { SessionStore } from '../../../src/core/store.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { put } from '../../contracts/records.js';

/** `take`: takes the session over and writes until it is rejected. `wait`: opens it once it is free, and closes it. */
export type Order = { do: 'take' | 'wait'; session: string } | { do: 'finish' };
export type Answer =
  | { done: 'opened'; ms: number; at: number }
  | { done: 'refused'; code: string }
  | { done: 'finished'; acknowledged: string[]; refusals: string[] };
/** One stored commit: its epoch, and the number of commits before it. */
export interface Written {
  epoch: number;
  head: number;
}

const storage = indexedDbStorage({ waitMs: 30_000 });
const acknowledged: string[] = [];
const refusals: string[] = [];
let writing: Promise<void> = Promise.resolve();

self.addEventListener('message', ({ data }: MessageEvent<Order>) => {
  void carryOut(data).then((answer) => self.postMessage(answer));
});

async function carryOut(order: Order): Promise<Answer> {
  if (order.do === 'finish') {
    await writing;
    return { done: 'finished', acknowledged, refusals };
  }
  const from = performance.now();
  try {
    const store = await storage.open(order.session, { takeOver: order.do === 'take' });
    if (order.do === 'take') {
      await write(store);
      writing = Promise.all([writing, writeOn(store)]).then(() => undefined);
    }
    const answer: Answer = { done: 'opened', ms: performance.now() - from, at: Date.now() };
    if (order.do === 'wait') await store.close(); // Its time is not part of the measurement.
    return answer;
  } catch (error) {
    return { done: 'refused', code: toRoleZeroError(error).code };
  }
}

async function write(store: SessionStore): Promise<void> {
  const head = (store.position?.head ?? 0) + 1;
  const key = crypto.randomUUID();
  await store.commit([put('inbox', key, { epoch: store.epoch, head } satisfies Written)], [1, 2, 3, 4]);
  acknowledged.push(key);
}

/** Keeps writing regardless of other writers, as a run does that has not noticed the loss of ownership yet. */
async function writeOn(store: SessionStore): Promise<void> {
  try {
    for (;;) await write(store);
  } catch (error) {
    refusals.push(toRoleZeroError(error).code);
  }
}
