import { toRoleZeroError } from '../../../src/core/error.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { put } from '../../contracts/records.js';

export interface StormOrder {
  databaseName: string;
  name: string;
  takeOvers: number;
}
/** Results of one worker: the keys of acknowledged commits, and the errors. */
export interface StormReport {
  acknowledged: string[];
  refusals: string[];
}
/** One stored commit: its writer, its epoch, and the number of commits before it. */
export interface StormRecord {
  by: string;
  epoch: number;
  head: number;
}

/** Takes the session over repeatedly, and writes until another worker takes it. */
self.addEventListener('message', ({ data }: MessageEvent<StormOrder>) => {
  void storm(data).then((report) => self.postMessage(report));
});

async function storm({ databaseName, name, takeOvers }: StormOrder): Promise<StormReport> {
  const storage = indexedDbStorage({ databaseName });
  const report: StormReport = { acknowledged: [], refusals: [] };
  let number = 0;
  // Each worker continues until it has written once, so that the session certainly changes owners.
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
