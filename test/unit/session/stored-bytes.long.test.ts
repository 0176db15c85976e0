/** @module-tag nightly */
import { expect, it } from 'vitest';
import { bytesOfLongJob } from '../../bench/bytes-per-step.js';

it('a replica takes a fraction of the database, however long the session runs, and its work is linear', async () => {
  const found = await bytesOfLongJob([1_000, 2_000, 5_000]);
  const all = JSON.stringify(found);
  for (const { steps, database, replica, appended, compressed, files, peak } of found) {
    expect(replica, all).toBeLessThanOrEqual(0.3 * database);
    expect(peak, all).toBeLessThanOrEqual(10_000_000);
    expect(appended, all).toBeLessThanOrEqual(25_000 * steps);
    expect(compressed, all).toBeLessThanOrEqual(0.2 * appended);
    expect(files, all).toBeLessThan(100);
  }
});
