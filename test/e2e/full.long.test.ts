import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePage, startChromium } from './chromium.js';

let browser: Browser;
let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  site = await servePage('full');
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

describe('a browser that runs out of quota', { tags: 'chromium' }, () => {
  it('reports a rejected write, leaves the stored data intact, and archives what was saved', async () => {
    const page = await browser.newPage();
    await page.goto(site.url);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Storage.overrideQuotaForOrigin', {
      origin: new URL(site.url).origin,
      quotaSize: 6_000_000,
    });
    expect(await page.evaluate(() => full.open())).toBe(20);
    expect((await page.evaluate(() => full.space())).memories).toMatchObject({
      count: 19,
      pinned: 1,
      oldest: 0,
    });

    expect(await page.evaluate(() => full.fill())).toBe('storage-full');
    await expect.poll(() => page.evaluate(() => full.warnings)).toBeGreaterThan(0);
    expect((await page.evaluate(() => full.space())).storage?.usage).toBeGreaterThan(1_000_000);
    expect(await page.evaluate(() => full.memories())).toHaveLength(20);
    expect(await page.evaluate(() => full.files())).toBe((await page.evaluate(() => full.written())) - 1);

    // Not a single byte more is needed to remove data.
    await devtools.send('Storage.overrideQuotaForOrigin', {
      origin: new URL(site.url).origin,
      quotaSize: 1_000,
    });
    const oldest = Array.from({ length: 16 }, (_, number) => `m${number}`).filter((id) => id !== 'm3');
    expect(await page.evaluate(() => full.archive(15))).toEqual(oldest);
    expect(await page.evaluate(() => full.memories())).toEqual(['m3', 'm16', 'm17', 'm18', 'm19']);

    // After a reload it is read-only, as its new writer cannot be stored; but it can be exported, and data can be removed.
    const exported = await page.evaluate(() => full.exported());
    const files = await page.evaluate(() => full.files());
    await page.reload();
    expect(await page.evaluate(() => full.reopen())).toBe(null);
    expect(await page.evaluate(() => full.viewing())).toBe(true);
    expect(await page.evaluate(() => full.exported())).toBe(exported);
    expect(await page.evaluate(() => full.write())).toBe('storage-full');
    expect(await page.evaluate(() => full.remove(1))).toBe(null);
    expect(await page.evaluate(() => full.archive(2))).toEqual(['m16', 'm17']);
    await page.reload();
    expect(await page.evaluate(() => full.reopen())).toBe(null);
    expect(await page.evaluate(() => full.files())).toBe(files - 1);
    expect(await page.evaluate(() => full.memories())).toEqual(['m3', 'm18', 'm19']);

    // It becomes writable once there is room.
    await devtools.send('Storage.overrideQuotaForOrigin', { origin: new URL(site.url).origin });
    await expect.poll(() => page.evaluate(() => full.write()), { timeout: 30_000 }).toBe(null);
    expect(await page.evaluate(() => full.viewing())).toBe(false);
  });
});
