import { expect, it } from 'vitest';
import { Platform } from '../../chaos/simulation/platform.js';
import { simulateStorage } from '../../chaos/storage/simulate-storage.js';

/**
 * Seeds that once failed: 24, an empty session reported as lost; 44, a log that continued after a truncated line
 * after a rollback; 247, an unflushed log that others built on.
 */
const ONCE_FAILED = [24, 44, 80, 247, 460];
const HISTORIES = 150;
const SECONDS = 60;

it(
  'a session in a real database with a replica is restored as written, whatever the disk lost',
  { timeout: 150_000 },
  async () => {
    const platform = new Platform();
    platform.take();
    const until = performance.now() + SECONDS * 1000;
    let restored = 0;
    try {
      for (const seed of [...ONCE_FAILED, ...Array.from({ length: HISTORIES }, (_, index) => index + 1)]) {
        if (performance.now() > until) break;
        const history = await simulateStorage(seed, platform);
        expect(history.violations, `seed ${seed}: ${history.losses.join(', ')}`).toEqual([]);
        restored += history.restored;
      }
    } finally {
      platform.giveBack();
    }
    expect(restored).toBeGreaterThan(0);
  },
);
