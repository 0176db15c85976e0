import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runKills } from '../chaos/kills/run-kills.js';
import { servePage } from '../e2e/chromium.js';
import type {} from '../e2e/reference/main.js';
import type { Tab } from './engine-browser.js';
import { sized, spaced } from '../size.js';
import { isInstalled } from './engines.js';
import { inEachEngine } from './in-each-engine.js';

/** `e2e/reference.long.test.ts` has the series in Chromium; `npm run test:chaos -- --engine firefox` has longer ones. */
for (const engine of ['firefox', 'webkit'] as const) {
  describe(`kills in ${engine}`, { skip: !isInstalled(engine), meta: { engine } }, () => {
    it('end the same: of the worker, of the page, and of the browser', { timeout: 600_000 }, async () => {
      const answers: string[] = [];
      const plan = {
        engine,
        every: spaced(40),
        browser: 0,
        tab: spaced(130),
        browserKills: sized(3),
        kills: 10,
      };
      const figures = await runKills({ ...plan, tell: (line) => answers.push(line) });
      console.log(`${engine}, ${answers[0] ?? ''}: ${JSON.stringify(figures)}`);
      expect(figures.map(({ fault }) => fault)).toEqual(['worker terminate', 'reload', 'browser SIGKILL']);
      for (const { fault, tried, ...results } of figures) {
        expect(tried, fault).toBeGreaterThan(0);
        expect({ fault, ...results }, answers.join('\n')).toEqual({
          fault,
          identical: tried,
          duplicates: 0,
          lost: 0,
        });
      }
    });
  });
}

let site: Awaited<ReturnType<typeof servePage>>;
beforeAll(async () => {
  site = await servePage('reference');
});
afterAll(() => site.close());

inEachEngine((browser) => {
  /** Opens the page in a tab of its own. Its effects are not reported. */
  const openPage = async () => {
    const tab = await browser().open(site.url);
    await tab.evaluate(() => {
      window.reported = window.heard = () => Promise.resolve();
    });
    return tab;
  };
  const visit = (tab: Tab, name: string, at: string[]) =>
    tab.evaluate(({ name, at }) => window.reference.visit(name, at, false), { name, at });

  it('a second tab takes the session over in the middle, and ends it the same', async () => {
    const [first, second] = [await openPage(), await openPage()];
    const undisturbed = await visit(second, 'undisturbed', []);
    const expected = await second.evaluate(() => window.reference.look());
    const middle = undisturbed.points[Math.floor(undisturbed.points.length / 2)] ?? '';
    expect(await visit(first, 'shared', [middle])).toMatchObject({ at: middle });
    expect(await visit(second, 'shared', [])).toMatchObject({ ended: 'done' });
    expect(await second.evaluate(() => window.reference.look())).toBe(expected);
  });
});
