import { expect, it, onTestFinished } from 'vitest';
import { DrivenPage } from './driven-page.js';
import { idIn } from './steps.js';

async function open(html: string): Promise<DrivenPage> {
  const page = await DrivenPage.open(html);
  onTestFinished(() => page.close());
  return page;
}

it('reads a page that never settles after ten seconds', async () => {
  const page = await open(
    `<button id="b">Run</button><p id="o"></p><script>b.onclick = () => setInterval(() => o.textContent = Math.random(), 20)</script>`,
  );
  const result = await page.ask({ kind: 'click', element: idIn(await page.view(), "button 'Run'") });
  expect(result.quiet).toBe(false);
  expect(result.said).toContain('still changing after 10 s');
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
