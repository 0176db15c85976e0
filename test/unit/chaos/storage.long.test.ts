import { expect, it } from 'vitest';
import { Platform } from '../../chaos/simulation/platform.js';
import { simulateStorage } from '../../chaos/storage/simulate-storage.js';
import { sized } from '../../size.js';

/**
 * Seeds that once failed: 24, an empty session reported as lost; 44, a log that continued after a truncated line
 * after a rollback; 247, an unflushed log that others built on.
 */
const ONCE_FAILED = [24, 44, 80, 247, 460];
const HISTORIES = sized(100);

it(
  'a session in a real database with a replica is restored as written, whatever the disk lost',
  { timeout: 1_800_000 },
  async () => {
    const platform = new Platform();
    platform.take();
    let restored = 0;
    let sealed = 0;
    try {
      for (const seed of [...ONCE_FAILED, ...Array.from({ length: HISTORIES }, (_, index) => index + 1)]) {
        const history = await simulateStorage(seed, platform);
        expect(history.violations, `seed ${seed}: ${history.losses.join(', ')}`).toEqual([]);
        restored += history.restored;
        sealed += history.sealed;
      }
    } finally {
      platform.giveBack();
    }
    expect(restored).toBeGreaterThan(0);
    expect(sealed).toBeGreaterThan(0);
  },
);
