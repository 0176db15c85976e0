import { toRoleZeroError } from '../../../src/core/error.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { put } from '../../contracts/records.js';

export interface StormOrder {
  databaseName: string;
  name: string;
  takeOvers: number;
}
/** What one robber came to: the keys of what was acknowledged, and what it was refused with. */
export interface StormReport {
  acknowledged: string[];
  refusals: string[];
}
/** One commit as it is found: who wrote it under which epoch, and after how many others. */
export interface StormRecord {
  by: string;
  epoch: number;
  head: number;
}

/** Takes the session over again and again, and writes until somebody else takes it. */
self.addEventListener('message', ({ data }: MessageEvent<StormOrder>) => {
  void storm(data).then((report) => self.postMessage(report));
});

async function storm({ databaseName, name, takeOvers }: StormOrder): Promise<StormReport> {
  const storage = indexedDbStorage({ databaseName });
  const report: StormReport = { acknowledged: [], refusals: [] };
  let number = 0;
  // Each robber continues until it has written something, so that the session certainly changes hands.
  for (let round = 0; round < takeOvers || report.acknowledged.length === 0; round++) {
    try {
      const store = await storage.open('game', { takeOver: true });
      for (let commits = 0; commits < 4; commits++) {
        const key = `${name}-${(number += 1)}`;
        const record: StormRecord = {
          by: name,
          epoch: store.epoch,
          head: (store.position?.head ?? 0) + 1,
        };
        await store.commit([put('inbox', key, record)], [1, 2, 3, 4]);
        report.acknowledged.push(key);
      }
    } catch (error) {
      report.refusals.push(toRoleZeroError(error).code);
    }
  }
  return report;
}
