import { estimateTokenCount } from 'tokenx';
import { expect, it } from 'vitest';
import ariaSnapshot from './apps/aria-snapshot.mjs?script';
import { DrivenPage } from './driven-page.js';
import { flows } from './pages/flows.js';
import { forms } from './pages/forms.js';
import { widgets } from './pages/widgets.js';

const row = (n: number) =>
  `<tr><td>Item ${n}</td><td>${n * 3} €</td><td><a href="/item/${n}">Details</a></td><td><button>Buy</button></td></tr>`;
const shop = `<header><nav aria-label="Main"><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li></ul></nav></header><main><h1>Shop</h1><p>Everything <b>you</b> need, <i>nothing</i> you do not.</p><label>Search <input></label><table><thead><tr><th>Name</th><th>Price</th><th></th><th></th></tr></thead><tbody>${Array.from({ length: 20 }, (_, n) => row(n)).join('')}</tbody></table></main><footer><p>© Shop</p></footer>`;

it('the view of these pages takes fewer tokens than the aria snapshot of Playwright', async () => {
  const pages = [...forms, ...widgets, ...flows].filter(({ html }) => !/iframe|attachShadow/.test(html));
  const sums = { ours: 0, theirs: 0 };
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
    sums.ours += tokens;
    sums.theirs += estimateTokenCount(theirs);
    if (html === shop) expect(tokens).toBeLessThan(estimateTokenCount(theirs));
    page.close();
  }
  console.log(`tokens of ${pages.length + 1} views: ${sums.ours}; of Playwright's snapshots: ${sums.theirs}`);
  expect(sums.ours).toBeLessThan(sums.theirs);
}, 120_000);
