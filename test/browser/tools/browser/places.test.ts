import { afterEach, expect, it } from 'vitest';
import type { DriverRequest } from '../../../../src/tools/browser/protocol.js';
import { DrivenPage } from './driven-page.js';
import { idIn } from './steps.js';

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
