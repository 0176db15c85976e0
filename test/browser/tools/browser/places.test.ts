import { afterEach, expect, it } from 'vitest';
import type { DriverRequest } from '../../../../src/tools/browser/protocol.js';
import { DrivenPage } from './driven-page.js';
import { idIn } from './steps.js';
// cspell:ignore usemap

let page: DrivenPage;
afterEach(() => page.close());

async function open(html: string): Promise<void> {
  page = await DrivenPage.open(html);
}

async function id(line: string): Promise<string> {
  return idIn(await page.view(), line);
}

async function refusal(request: DriverRequest): Promise<string> {
  return page.ask(request).then(
    () => 'was done',
    (error: unknown) => (error as Error).message,
  );
}

const plan = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"/>')}`;

it('clicks a text that has no number: a whole one rather than a part, and only a visible one', async () => {
  await open(
    `<p hidden>Save</p><p>Saved files</p><div><p>Save</p></div><p>Keep <b>the</b> draft</p><p id="o"></p><script>document.addEventListener('click', (e) => { o.textContent = e.target.localName + ' ' + e.target.textContent })</script>`,
  );
  const seen: string[] = [];
  for (const text of ['Save', 'Saved', 'the draft', 'draft']) {
    await page.ask({ kind: 'click', text });
    seen.push((await page.view()).split('\n').at(-1) ?? '');
  }
  expect(seen).toEqual(["'p Save'", "'p Saved files'", "'b the'", "'p Keep the draft'"]);
  expect(await refusal({ kind: 'click', text: 'Nowhere' })).toContain("does not hold the text 'Nowhere'");
});

it('clicks a text in an element', async () => {
  await open(
    `<section aria-label="A"><p>Open</p></section><section aria-label="B"><p>Open</p></section><p id="o"></p><script>document.addEventListener('click', (e) => { o.textContent = 'opened ' + e.target.parentNode.ariaLabel })</script>`,
  );
  await page.ask({ kind: 'click', element: await id("region 'B'"), text: 'Open' });
  expect(await page.view()).toContain("'opened B'");
});

it('clicks a text in the document of a frame', { tags: 'chromium' }, async () => {
  await open(
    `<p>Go</p><iframe title="F" srcdoc="<p>Go</p><script>document.addEventListener('click', () => document.body.append('gone'))&lt;/script>"></iframe>`,
  );
  await page.ask({ kind: 'click', element: await id("iframe 'F'"), text: 'Go' });
  expect(await page.view()).toContain("'gone'");
});

it('lists the areas of an image map, and clicks them at their places in the image', async () => {
  await open(
    `<div style="height:900px"></div><map name="m"><area shape="circle" coords="30,50,20" href="#round" alt="Round"><area shape="poly" coords="100,10,140,90,60,90" href="#sharp" alt="Sharp"><area coords="150,0,200,100" href="/far" alt="Far"></map><p><img usemap="#m" src="${plan}" width="200" height="100"></p>`,
  );
  expect((await page.view()).split('\n').map((line) => line.trim().replace(/^\[\d+\] /, ''))).toEqual([
    'img',
    "link 'Round'",
    "link 'Sharp'",
    "link 'Far' url: /far",
  ]);
  for (const name of ['Round', 'Sharp', 'Far'])
    await page.ask({ kind: 'click', element: await id(`link '${name}'`) });
  const left = page.events.flatMap((event) =>
    event.event === 'history' || event.event === 'navigate' ? [event.url] : [],
  );
  expect(left.map((url) => url.replace('https://files.invalid', ''))).toEqual([
    '/index.html#round',
    '/index.html#sharp',
    '/far',
  ]);
});

// Firefox finds the image, and not the area, at a point of it.
it('clicks the area at a point of an image', { tags: 'chromium' }, async () => {
  await open(
    `<map name="m"><area coords="0,0,100,100" href="#left" alt="Left"></map><img usemap="#m" src="${plan}" width="200" height="100" alt="Plan">`,
  );
  await page.ask({ kind: 'click', element: await id("img 'Plan'"), at: { x: 30, y: 50 } });
  expect(page.events.find(({ event }) => event === 'history')).toMatchObject({
    url: 'https://files.invalid/index.html#left',
  });
});

it('scrolls the part that has the focus with keys, and the page without one', async () => {
  await open(
    `<div id="b" tabindex="0" style="height:50px;overflow:auto"><p style="height:500px">Box</p></div><div style="height:3000px"></div>`,
  );
  const scrolled = async (): Promise<[string, number]> => {
    const { text, scroll } = await page.ask({ kind: 'view' });
    return [/scroll: (\d+)/.exec(text)?.[1] ?? '', scroll.top];
  };
  const element = await id("clickable 'Box'");
  const [, all = ''] = /scroll: 0 of (\d+)/.exec(await page.view()) ?? [];
  await page.ask({ kind: 'press', keys: 'End' });
  expect((await scrolled())[1]).toBeGreaterThan(1000);
  await page.ask({ kind: 'press', keys: 'Home' });
  await page.ask({ kind: 'press', keys: 'End', element });
  expect(await scrolled()).toEqual([all, 0]);
  await page.ask({ kind: 'press', keys: 'ArrowUp' });
  expect(await scrolled()).toEqual([String(Number(all) - 40), 0]);
  await page.ask({ kind: 'press', keys: 'Home' });
  expect(await scrolled()).toEqual(['0', 0]);
});

it('waits for a switch that changes after its click, and reports one that does not change', async () => {
  await open(
    `<span role="switch" tabindex="0" aria-checked="false" id="s">Slow</span><span role="switch" tabindex="0" aria-checked="false">Dead</span><script>s.onclick = () => setTimeout(() => s.ariaChecked = 'true', 300)</script>`,
  );
  const slow = await page.ask({ kind: 'check', element: await id("switch 'Slow'"), checked: true });
  expect(slow.notes).toEqual([]);
  expect(await page.view()).toContain("switch 'Slow' checked");
  const dead = await page.ask({ kind: 'check', element: await id("switch 'Dead'"), checked: true });
  expect(dead.notes).toEqual(["switch 'Dead' did not change its state."]);
});

it('shows the signs of buttons with the same label, not of others', async () => {
  await open(
    `<div><button aria-label="Card">☀</button><button aria-label="Card">☂</button></div><div><button aria-label="Next">›</button><button aria-label="Previous">‹</button></div>`,
  );
  expect(await page.view()).toBe(
    ["[1] button 'Card': '☀'", "[2] button 'Card': '☂'", "[3] button 'Next'", "[4] button 'Previous'"].join(
      '\n',
    ),
  );
});

it('marks selected entries of a list with one listener, and lists the labels of its fields once', async () => {
  await open(
    `<div id="l"><div class="opt sel">Mon</div><div class="opt">Tue</div><label><input type="checkbox"> Ads</label></div><script>l.onclick = () => {}</script>`,
  );
  expect((await page.view()).replaceAll(/\[\d+\] /g, '').split('\n')).toEqual([
    'clickable',
    "\t'Mon' class: 'sel'",
    "\t'Tue'",
    "\tcheckbox 'Ads'",
  ]);
});
