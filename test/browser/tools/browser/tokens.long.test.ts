/** @module-tag nightly */
import { estimateTokenCount } from 'tokenx';
import { expect, it } from 'vitest';
import { sampled } from '../../../size.js';
import ariaSnapshot from './apps/aria-snapshot.mjs?script';
import { DrivenPage } from './driven-page.js';
import { flows } from './pages/flows.js';
import { forms } from './pages/forms.js';
import { measures } from './pages/measures.js';
import { motion } from './pages/motion.js';
import { appRequests } from './pages/requests/apps.js';
import { dataRequests } from './pages/requests/data.js';
import { formRequests } from './pages/requests/forms.js';
import { overlayRequests } from './pages/requests/overlays.js';
import { variousRequests } from './pages/requests/various.js';
import { smallTasks } from './pages/small-tasks.js';
import { tasks } from './pages/tasks.js';
import { widgets } from './pages/widgets.js';

const row = (n: number) =>
  `<tr><td>Item ${n}</td><td>${n * 3} €</td><td><a href="/item/${n}">Details</a></td><td><button>Buy</button></td></tr>`;
const shop = `<header><nav aria-label="Main"><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li></ul></nav></header><main><h1>Shop</h1><p>Everything <b>you</b> need, <i>nothing</i> you do not.</p><label>Search <input></label><table><thead><tr><th>Name</th><th>Price</th><th></th><th></th></tr></thead><tbody>${Array.from({ length: 20 }, (_, n) => row(n)).join('')}</tbody></table></main><footer><p>© Shop</p></footer>`;

/** Playwright's aria snapshot of the page. */
async function snapshotOf(page: DrivenPage): Promise<string> {
  const report = page.heard(
    (data): data is { aria: string } => Object(data) === data && 'aria' in Object(data),
  );
  page.post('aria');
  return (await report).aria;
}

it("the views of our pages take fewer tokens than Playwright's aria snapshots, and contain more", async () => {
  const ofControls = [...forms, ...widgets, ...flows];
  const requests = [variousRequests, formRequests, dataRequests, overlayRequests, appRequests].flat();
  const others = sampled([...requests, ...motion, ...tasks, ...smallTasks, ...measures]);
  // The snapshot looks into neither frames nor shadow roots, and loading the library would take most of the time.
  const pages = [...ofControls, ...others].filter(({ html }) => !/iframe|attachShadow|jquery/i.test(html));
  const sums = { ours: 0, theirs: 0 };
  const all = { ours: 0, theirs: 0 };
  const counted = new Set([shop, ...ofControls.map(({ html }) => html)]);
  const queue = [shop, ...pages.map(({ html }) => html)];
  const count = async (html: string): Promise<void> => {
    const page = await DrivenPage.open(`<body>${html}<script>${ariaSnapshot}</script>`);
    const { text, tokens } = await page.ask({ kind: 'view', limit: 100_000 }); // Waits until the page has a size.
    const theirs = estimateTokenCount(await snapshotOf(page));
    page.close();
    expect(tokens).toBe(estimateTokenCount(text));
    for (const sum of counted.has(html) ? [sums, all] : [all]) {
      sum.ours += tokens;
      sum.theirs += theirs;
    }
    if (html === shop) expect(tokens).toBeLessThan(theirs);
  };
  const work = async (): Promise<void> => {
    for (let html = queue.shift(); html !== undefined; html = queue.shift()) await count(html);
  };
  await Promise.all(Array.from({ length: 6 }, work)); // Most of the time of a page is waiting.
  const since = ({ ours, theirs }: typeof sums): string => `${ours}; of Playwright's snapshots: ${theirs}`;
  console.log(`tokens of the views of pages made of controls: ${since(sums)}`);
  // The snapshots omit shapes, sizes, places, and boxes with mouse listeners; our views spend tokens on them.
  console.log(
    `tokens of the views of all ${pages.length + 1} pages, drawings and bare boxes included: ${since(all)}`,
  );
  expect(sums.ours).toBeLessThan(sums.theirs * 0.7);
  expect(all.ours).toBeLessThan(all.theirs);
}, 120_000);
