/** @module-tag nightly */
import { describe, expect, it, onTestFinished } from 'vitest';
import { useServedDemo } from './demo/served-demo.js';
import { startVisit } from './demo/visit.js';

const demo = useServedDemo();

async function startTour(name: string, tourSpeed: number) {
  const visit = await startVisit(demo.browser, { tourSpeed });
  onTestFinished(() => visit.end());
  await visit.page.goto(demo.url);
  await visit.page.locator(`[data-tour="${name}"]`).click();
  return visit.page;
}

describe('the notes of a tour', () => {
  it('stay long enough to be read, each of them, and the end leads to the own model', async () => {
    const page = await startTour('remember', 1);
    await page.locator('.note').waitFor();
    const times = await page.evaluate(
      () =>
        new Promise<[string, number][]>((resolve) => {
          const seen: [string, number][] = [];
          const look = () => {
            const text = document.querySelector('.note [aria-live]')?.textContent ?? '';
            if (seen.at(-1)?.[0] !== text) seen.push([text, performance.now()]);
            const chat = document.querySelector('rolezero-chat')?.shadowRoot;
            if (chat?.querySelectorAll('[data-entry="finished"]').length === 3) resolve(seen);
            else requestAnimationFrame(look);
          };
          look();
        }),
    );
    expect(times.length).toBe(5);
    const shown = times.slice(1).map(([, at], index) => at - (times[index]?.[1] ?? at));
    expect(Math.min(...shown)).toBeGreaterThan(2_000);
    await page.getByRole('button', { name: 'Do it with your own model' }).click();
    await page.getByLabel('Your request').waitFor();
  });

  it('can be paused, looked back at, skipped and played faster', async () => {
    const page = await startTour('build-a-game', 0.2); // A note stays for 20 seconds.
    const note = page.locator('.note');
    const player = (name: string) => note.getByRole('button', { name, exact: true });
    await note.getByText('Step 1 of 9').waitFor();
    await player('Next').click();
    await note.getByText('Step 2 of 9').waitFor();
    await player('Previous note').click();
    await note.getByText('Step 1 of 9').waitFor();
    await player('Next').click();
    await note.getByText('Step 2 of 9').waitFor();
    await player('Pause').click();
    await page.locator('[data-entry="paused"]').waitFor();
    await player('Continue').click();
    await player('Next').click();
    await note.getByText('Step 3 of 9').waitFor();
    await player('Playback speed: 0.2×').click(); // From the tests' own speed to the first that users have.
    await player('Playback speed: 1×').waitFor();
  });
});
