import { deleteDB } from 'idb';
import { expect, it } from 'vitest';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { freshName } from './fresh-name.js';
import type { StormOrder, StormRecord, StormReport } from './storm.worker.js';

const ROBBERS = 4;
const TAKE_OVERS = 40;

it('four workers that keep taking over one session never overwrite each other', async () => {
  const databaseName = freshName();
  const reports = await Promise.all(
    Array.from({ length: ROBBERS }, async (_, index) => {
      const worker = new Worker(new URL('./storm.worker.ts', import.meta.url), { type: 'module' });
      const report = new Promise<StormReport>((resolve, reject) => {
        worker.onerror = (event) => reject(new Error(event.message));
        worker.onmessage = ({ data }: MessageEvent<StormReport>) => resolve(data);
      });
      const order: StormOrder = { databaseName, name: `worker ${index}`, takeOvers: TAKE_OVERS };
      worker.postMessage(order);
      try {
        return await report;
      } finally {
        worker.terminate();
      }
    }),
  );
  const store = await indexedDbStorage({ databaseName, waitMs: 5000 }).open('game');
  const found = (await store.load('inbox'))
    .map(({ key, value }) => ({ key, ...(value as StormRecord) }))
    .sort((one, other) => one.head - other.head);

  const stale = found.filter(({ epoch }, index) => epoch < (found[index - 1]?.epoch ?? 0));
  expect(stale).toEqual([]);
  expect(found.map(({ head }) => head)).toEqual(found.map((_, index) => index + 1));
  const keys = new Set(found.map(({ key }) => key));
  expect(reports.flatMap(({ acknowledged }) => acknowledged).filter((key) => !keys.has(key))).toEqual([]);
  // Rejections are named: lost ownership, or a timeout while another worker was taking over.
  const refusals = new Set(reports.flatMap(({ refusals: codes }) => codes));
  expect([...refusals].filter((code) => code !== 'session-fenced' && code !== 'session-busy')).toEqual([]);
  expect(new Set(found.map(({ epoch }) => epoch)).size).toBeGreaterThanOrEqual(ROBBERS); // Each worker has written.
  await store.close();
  await deleteDB(databaseName);
}, 120_000);
