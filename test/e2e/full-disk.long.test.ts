import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LoopDisk } from '../chaos/power-cuts/loop-disk.js';
import { servePage } from './chromium.js';
import { BACKENDS, KillableBrowser } from './killable-browser.js';

let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  site = await servePage('full');
});
afterAll(() => site?.close());

/** Only root can mount a small disk like the one this test needs. */
const canMount = LoopDisk.refusal() === null;

async function start(browser: KillableBrowser): Promise<Page> {
  const page = await (await browser.start()).newPage();
  await page.goto(site.url);
  return page;
}

describe.each(BACKENDS)('a full disk, databases in $backend', ({ backend, more }) => {
  it.skipIf(!canMount)(
    'rejects by name, preserves all acknowledged data, and accepts more once there is space',
    async () => {
      const disk = LoopDisk.make({ quick: false });
      const browser = await KillableBrowser.make(join(disk.place, 'profile'), more);
      const ballast = join(disk.place, 'ballast');
      try {
        const page = await start(browser);
        await page.evaluate(() => full.open());
        for (let number = 0; number < 5; number++) expect(await page.evaluate(() => full.write())).toBe(null);
        const { bavail, bsize } = statfsSync(disk.place);
        execFileSync('fallocate', ['-l', String(bavail * bsize - 2_000_000), ballast]);
        expect(await page.evaluate(() => full.fill())).toBe('storage-full');
        const stored = await page.evaluate(() => full.files());
        expect(stored).toBe((await page.evaluate(() => full.written())) - 1);

        if (backend === 'SQLite') {
          // Not with LevelDB: reopening its database on a full disk may lose the newest commits, see docs/durability.md.
          await page.reload();
          expect(await page.evaluate(() => full.reopen())).toBe(null);
          expect(await page.evaluate(() => full.files())).toBe(stored);
          expect(await page.evaluate(() => full.exported())).toContain('/1.txt');
        }

        rmSync(ballast);
        await expect.poll(() => page.evaluate(() => full.remove(1)), { timeout: 30_000 }).toBe(null);
        await expect.poll(() => page.evaluate(() => full.write()), { timeout: 30_000 }).toBe(null);
        const files = await page.evaluate(() => full.files());
        expect(files).toBeGreaterThanOrEqual(stored);
        await browser.kill();

        const next = await start(browser);
        // It only reads: a browser may take a while to notice that there is space again.
        expect(await next.evaluate(() => full.reopen())).toBe(null);
        expect(await next.evaluate(() => full.files())).toBe(files);
        expect(await next.evaluate(() => full.memories())).toHaveLength(20);
      } finally {
        await browser.remove();
        disk.remove();
      }
    },
  );
});
