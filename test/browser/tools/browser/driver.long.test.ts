import { expect, it, onTestFinished } from 'vitest';
import { DrivenPage } from './driven-page.js';
import { idIn } from './steps.js';

async function open(html: string): Promise<DrivenPage> {
  const page = await DrivenPage.open(html);
  onTestFinished(() => page.close());
  return page;
}

it('waits less for a page that never settles, and less again the next time', async () => {
  const page = await open(
    `<button id="b">Run</button><p id="o"></p><script>let timer, n = 0; b.onclick = () => { if (timer) timer = clearInterval(timer); else timer = setInterval(() => { o.textContent = n++ }, 20) }</script>`,
  );
  const element = idIn(await page.view(), "button 'Run'");
  const ticks = async () => Number(/'(\d+)'/.exec(await page.view())?.[1]);
  const first = await page.ask({ kind: 'click', element });
  const before = await ticks();
  const again = await page.ask({ kind: 'hover', element });
  expect([first.quiet, again.quiet]).toEqual([false, false]);
  expect(first.report).toContain('The page was still changing.');
  expect((await ticks()) - before).toBeLessThan(before);
  expect((await page.ask({ kind: 'click', element })).quiet).toBe(true);
});

it('shortens the title, the view and the console of a huge page', async () => {
  const page = await open(
    `<title>${'t'.repeat(5_000)}</title><button>${'n'.repeat(50_000)}</button><div id="d"></div><script>for (let i = 0; i < 40000; i++) d.append(document.createElement('b')); d.append('late'); for (let i = 0; i < 3000; i++) console.log(i)</script>`,
  );
  const view = await page.ask({ kind: 'view' });
  expect(view.title.length).toBe(200);
  expect(view.text.length).toBeLessThan(12_100);
  expect(view.text.length + view.tokens).toBeLessThan(20_000);
  const last = await page.ask({ kind: 'view', page: view.pages });
  expect(last.text.slice(-60)).toContain('(only the first 30000 elements were read)');
  expect(page.events.filter(({ event }) => event === 'console').length).toBeLessThanOrEqual(1_000);
});

it('sees what a page does in the next frame', async () => {
  const page = await open(
    `<button id="b">Open</button><dialog id="d"><form method="dialog"><button value="yes">Yes</button></form></dialog><p id="o"></p><script>b.onclick = () => d.showModal(); d.onclose = () => o.textContent = 'answer ' + d.returnValue</script>`,
  );
  for (const line of ["button 'Open'", "button 'Yes'"])
    await page.ask({ kind: 'click', element: idIn(await page.view(), line) });
  expect(await page.view()).toContain("'answer yes'");
});
