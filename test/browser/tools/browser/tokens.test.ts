import { estimateTokenCount } from 'tokenx';
import { expect, it } from 'vitest';
import ariaSnapshot from './apps/aria-snapshot.mjs?script';
import { DrivenPage } from './driven-page.js';
import { flows } from './pages/flows.js';
import { forms } from './pages/forms.js';
import { motion } from './pages/motion.js';
import { smallTasks } from './pages/small-tasks.js';
import { tasks } from './pages/tasks.js';
import { widgets } from './pages/widgets.js';

const row = (n: number) =>
  `<tr><td>Item ${n}</td><td>${n * 3} €</td><td><a href="/item/${n}">Details</a></td><td><button>Buy</button></td></tr>`;
const shop = `<header><nav aria-label="Main"><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li></ul></nav></header><main><h1>Shop</h1><p>Everything <b>you</b> need, <i>nothing</i> you do not.</p><label>Search <input></label><table><thead><tr><th>Name</th><th>Price</th><th></th><th></th></tr></thead><tbody>${Array.from({ length: 20 }, (_, n) => row(n)).join('')}</tbody></table></main><footer><p>© Shop</p></footer>`;

it('the view of these pages takes fewer tokens than the aria snapshot of Playwright', async () => {
  const ofControls = [...forms, ...widgets, ...flows];
  const pages = [...ofControls, ...motion, ...tasks, ...smallTasks].filter(
    ({ html }) => !/iframe|attachShadow|jquery/i.test(html),
  ); // the snapshot looks into neither, and the library would be most of the time
  const sums = { ours: 0, theirs: 0 };
  const all = { ours: 0, theirs: 0 };
  const counted = new Set([shop, ...ofControls.map(({ html }) => html)]);
  for (const html of [shop, ...pages.map((page) => page.html)]) {
    const page = await DrivenPage.open(`<body>${html}<script>${ariaSnapshot}</script>`);
    const { text, tokens } = await page.ask({ kind: 'view', limit: 100_000 }); // waits until the page has a size
    const asked = new Promise<string>((resolve) => {
      const listen = (event: MessageEvent<{ aria?: string }>) => {
        if (event.data.aria === undefined) return;
        removeEventListener('message', listen);
        resolve(event.data.aria);
      };
      addEventListener('message', listen);
    });
    frames[frames.length - 1]?.postMessage('aria', '*');
    const theirs = await asked;
    expect(tokens).toBe(estimateTokenCount(text));
    for (const sum of counted.has(html) ? [sums, all] : [all]) {
      sum.ours += tokens;
      sum.theirs += estimateTokenCount(theirs);
    }
    if (html === shop) expect(tokens).toBeLessThan(estimateTokenCount(theirs));
    page.close();
  }
  const told = ({ ours, theirs }: typeof sums): string => `${ours}; of Playwright's snapshots: ${theirs}`;
  console.log(`tokens of the views of pages made of controls: ${told(sums)}`);
  // Shapes, sizes and places, and boxes that listen to the mouse, the snapshots leave out: those pages take more of ours.
  console.log(
    `tokens of the views of all ${pages.length + 1} pages, drawings and bare boxes included: ${told(all)}`,
  );
  expect(sums.ours).toBeLessThan(sums.theirs);
}, 120_000);
