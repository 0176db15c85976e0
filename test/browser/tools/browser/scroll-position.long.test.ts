import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PageToolContext, SessionFiles } from 'rolezero';
import { frame } from 'rolezero/tools/frame';
import type { FrameReply } from '../../../../src/tools/browser/frame-protocol.js';

const TALL = '<div style="height: 3000px">Tall</div>';
const contents: Record<string, string> = {
  '/tall.html': `<!doctype html><title>Tall</title>${TALL}`,
  '/late.html': `<!doctype html><title>Late</title><script>
    setTimeout(() => document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(TALL)}), 400);
  </script>`,
  '/short.html': '<!doctype html><title>Short</title><p>Short</p>',
};
const files = {
  stat: (path: string) => Promise.resolve({ path, type: 'file', size: 1, modifiedAt: 0 }),
  readBytes: (path: string) => Promise.resolve(new TextEncoder().encode(contents[path])),
} as unknown as SessionFiles;
const context: PageToolContext = {
  signal: new AbortController().signal,
  callId: '1',
  session: { name: 'scroll' },
  files,
};
const element = document.createElement('div');
element.style.cssText = 'position:relative;width:600px;height:400px';
beforeAll(() => document.body.append(element));
afterAll(() => element.remove());

const page = frame({ element, quiet: 100 });
const act = async (action: object): Promise<number | undefined> => {
  const request = { role: 'Ann', action, known: null, since: 0, limit: 1_000 };
  return ((await page.call(request, context)) as FrameReply).view?.scrollTop;
};
const open = (url: string, scrollTop?: number) =>
  act({ do: 'goto', url, ...(scrollTop === undefined ? {} : { scrollTop }) });
const look = () => act({ do: 'look', page: 1 });

test('a page opens at a given scroll position, and the next one at its top again', async () => {
  await open('/tall.html', 700);
  await expect.poll(look).toBe(700);
  await open('/tall.html');
  expect(await look()).toBe(0);
});

test('a page that a script makes tall later is scrolled then', async () => {
  await open('/late.html', 700);
  await expect.poll(look).toBe(700);
});

test('a page that is too short for the position is shown from its top', async () => {
  await open('/short.html', 700);
  expect(await look()).toBe(0);
});
