/** @module-tag nightly */
import { expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { reply } from '../fault-server/replies.js';
import { seriousIssues } from './demo/serious-issues.js';
import { finished, page, server, url, useDemo } from './demo/tip-calculator.js';
import { ask, connectModel } from './demo/visitor.js';

useDemo();

async function dropFile(name: string, size: number): Promise<void> {
  await page.evaluate(
    ([fileName, length]) => {
      const data = new DataTransfer();
      const noise = Array.from({ length: Math.ceil(length / 65_536) }, () =>
        crypto.getRandomValues(new Uint8Array(65_536)),
      ); // does not compress
      data.items.add(new File(noise, fileName));
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(
          new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }),
        );
    },
    [name, size] as const,
  );
}

/** Waits until the browser rejects writes: Chromium goes by the space that it found up to 30 seconds before. */
async function untilFull(): Promise<void> {
  const isRejected = (): Promise<boolean> =>
    page.evaluate(async () => {
      const opening = indexedDB.open('probe');
      opening.onupgradeneeded = () => void opening.result.createObjectStore('probe');
      await new Promise((resolve) => (opening.onsuccess = resolve));
      const database = opening.result;
      const transaction = database.transaction('probe', 'readwrite');
      transaction.objectStore('probe').put('one'.repeat(1_000), 1);
      return new Promise<boolean>((resolve) => {
        transaction.oncomplete = () => resolve(false);
        transaction.onabort = () => resolve(true);
      }).finally(() => database.close());
    });
  await expect.poll(isRejected, { timeout: 60_000, interval: 500 }).toBe(true);
}

it(
  'says that a session is read-only for lack of space, and continues when there is space again',
  { tags: 'chromium' },
  async () => {
    const protocol = await page.context().newCDPSession(page);
    const { origin } = new URL(url);
    await protocol.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 30_000_000 });
    server.script([reply(commands(['end', {}]))], 'repeat');
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, 'Before');
    await finished();
    const full = page.locator('.notice', { hasText: 'There is no space left.' });
    for (let number = 1; (await full.count()) === 0; number++) {
      await dropFile(`${number}.bin`, 6_000_000);
      await full.or(page.locator(`[data-file="/${number}.bin"]`)).waitFor();
    }
    await protocol.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1_000 });
    await untilFull();
    await page.reload();
    await page.locator('[data-entry="viewing"]', { hasText: 'there is no space to store changes' }).waitFor();
    await full.waitFor();
    expect(await page.getByRole('button', { name: 'Continue here' }).count()).toBe(0);
    expect(await seriousIssues(page)).toEqual([]);
    await protocol.send('Storage.overrideQuotaForOrigin', { origin });
    await page.getByLabel('Your request').waitFor(); // It tries again every ten seconds.
    expect(await page.locator('.notice').count()).toBe(0);
    await ask(page, 'After');
    await page.locator('[data-entry="finished"]').nth(1).waitFor();
  },
);
