import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import type { PageTool, PageToolContext, SessionFiles } from 'rolezero';
import { frame, type FrameOptions } from 'rolezero/tools/frame';
import type { FrameReply } from '../../../../src/tools/browser/frame-protocol.js';
import { remoteFaultServer, type RemoteFaultServer } from '../../../fault-server/remote.js';
import { head, send, type Reply } from '../../../fault-server/replies.js';
import { agent, outputs } from './agent.js';
import driver from './apps/site-driver.mjs?script';
import { idIn } from './steps.js';

/** A site that names this application, one that names another, and an untrusted one. */
let site: RemoteFaultServer;
let other: RemoteFaultServer;
let outsider: RemoteFaultServer;

const ME = JSON.stringify(location.origin);
const carries = (named: string): string => `<script>mayDrive = [${named}];${driver}</script>`;
const html = (text: string): Reply => [
  head(200, { 'content-type': 'text/html; charset=utf-8' }),
  send(`<!doctype html>${text}`),
];

const SHOP = `<title>Shop</title>${carries(ME)}<body><script>
  localStorage.visits = Number(localStorage.visits ?? 0) + 1;
  const at = location.pathname;
  document.title = 'Shop ' + at;
  document.write('<h1>At ' + at + '</h1><p>visits: ' + localStorage.visits + '</p>');
  if (at === '/') document.write('<input aria-label="Name"><button onclick="o.textContent = \\'Hi \\' + document.querySelector(\\'input\\').value">Greet</button><p id="o"></p><a href="/basket">Basket</a> <a href="/news" target="_blank">News</a> <a href="OTHER/">Elsewhere</a> <button onclick="location.href = \\'/late\\'">Late</button> <button onclick="history.pushState(0, \\'\\', \\'/pushed\\')">Push</button>');
  if (at === '/basket') document.write('<form action="/sent" method="post"><input name="n" aria-label="Number"><button>Send</button></form>');
  if (at === '/framing') document.write('<iframe title="Inner" src="/basket"></iframe>');
  if (at === '/bare') document.write('<a href="/">home</a>');
</script>`;

const files = { stat: () => Promise.resolve(null) } as unknown as SessionFiles;
const element = document.createElement('div');
element.style.cssText = 'position:relative;width:600px;height:400px';

/** A separate browser and a function to control it. */
function open(options: FrameOptions = {}): (action: object) => Promise<FrameReply> {
  const page: PageTool = frame({ element, quiet: 60, ...options });
  const role = crypto.randomUUID();
  const context: PageToolContext = {
    signal: new AbortController().signal,
    callId: '1',
    session: { name: 'sites' },
    files,
  };
  return (action) =>
    page.call({ role, action, known: null, since: 0, limit: 10_000 }, context) as Promise<FrameReply>;
}
const textOf = ({ view }: FrameReply): string => view?.text ?? '';
const click = (seen: FrameReply, line: string): object => ({
  do: 'act',
  request: { kind: 'click', element: idIn(textOf(seen), line) },
});

beforeAll(async () => {
  document.body.append(element);
  const control = inject('faultServer');
  [site, other, outsider] = await Promise.all([
    remoteFaultServer(control),
    remoteFaultServer(control),
    remoteFaultServer(control),
  ]);
  await site.script([html(SHOP.replace('OTHER', other.origin))], 'repeat');
  await other.script(
    [html(`<title>Other</title>${carries('"https://agent.example"')}<p>private</p>`)],
    'repeat',
  );
});
afterEach(() => element.replaceChildren());
afterAll(() => element.remove());

test('a site that carries our driver and names this application is viewed and used, from page to page', async () => {
  const say = open({ drive: [site.origin] });
  const first = await say({ do: 'goto', url: `${site.origin}/` });
  expect(first).toMatchObject({ outside: true, tabs: [{ url: `${site.origin}/`, title: 'Shop /' }] });
  expect(textOf(first)).toContain("'At /'");
  await say({
    do: 'act',
    request: { kind: 'type', element: idIn(textOf(first), "textbox 'Name'"), text: 'Ada' },
  });
  expect(textOf(await say(click(first, "button 'Greet'")))).toContain('Hi Ada');

  const basket = await say(click(first, "link 'Basket'"));
  expect(basket.tabs).toEqual([{ url: `${site.origin}/basket`, title: 'Shop /basket' }]);
  await say({
    do: 'act',
    request: { kind: 'type', element: idIn(textOf(basket), "textbox 'Number'"), text: '5', enter: true },
  });
  const sent = await say({ do: 'look', page: 1 });
  expect(textOf(sent)).toContain("'At /sent'");
  expect((await site.requests()).some(({ method, path }) => method === 'POST' && path === '/sent')).toBe(
    true,
  );

  await say({ do: 'step', by: -1 });
  const back = await say({ do: 'step', by: -1 });
  expect(back.tabs[0]?.url).toBe(`${site.origin}/`);
  const late = await say(click(back, "button 'Late'"));
  expect(textOf(late)).toContain("'At /late'");
});

test('reports what its frame blocks: windows become tabs, other sites are not followed', async () => {
  const say = open();
  const first = await say({ do: 'goto', url: `${site.origin}/` });
  const elsewhere = await say(click(first, "link 'Elsewhere'"));
  expect(elsewhere.notices.join()).toContain(`leads to ${other.origin}/. It was not followed`);
  expect(textOf(elsewhere)).toContain("'At /'");
  const pushed = await say(click(first, "button 'Push'"));
  expect(pushed.tabs[0]?.url).toBe(`${site.origin}/pushed`);
  const news = await say(click(first, "link 'News'"));
  expect(news.tabs.map(({ url }) => url)).toEqual([`${site.origin}/pushed`, `${site.origin}/news`]);
  expect(textOf(news)).toContain("'At /news'");
});

test('frames of a site that carry the driver too are part of its page', async () => {
  const say = open();
  const framing = await say({ do: 'goto', url: `${site.origin}/framing` });
  expect(textOf(framing)).toContain("button 'Send'");
  await say({
    do: 'act',
    request: { kind: 'type', element: idIn(textOf(framing), "textbox 'Number'"), text: '12' },
  });
  const typed = await say({ do: 'look', page: 1 });
  expect(textOf(typed)).toContain("textbox 'Number' value: 12");
});

test('a site that names other applications is shown and never driven', async () => {
  const say = open();
  const shown = await say({ do: 'goto', url: `${other.origin}/` });
  expect(textOf(shown)).toContain('It carries no driver that obeys this application');
  expect(textOf(shown)).not.toContain('private');
  await expect(say({ do: 'act', request: { kind: 'press', keys: 'Enter' } })).rejects.toThrow(
    'cannot be read or clicked from here',
  );
});

test('a page that redirects to another origin is reported as that other site’s', async () => {
  await outsider.script([[head(302, { location: `${site.origin}/` })]], 'repeat');
  const shown = await open()({ do: 'goto', url: `${outsider.origin}/` });
  expect(textOf(shown)).toContain(`This page belongs to ${outsider.origin}.`);
  expect(textOf(shown)).not.toContain('At /');
});

test('a page cannot impersonate another one’s driver', async () => {
  // It claims to be the site, from its own window and from a frame inside it.
  const forge = `for (let w = window; w.parent !== w; w = w.parent) w.parent.postMessage({ rolezero: 'driver', url: '${site.origin}/', loaded: false }, '*')`;
  await outsider.script(
    [
      html(
        `<title>Forged</title><iframe srcdoc="<script>${forge.replaceAll('"', '&quot;')}</script>"></iframe><script>${forge}; addEventListener('message', ({ ports }) => { if (ports.length > 0) location.href = '/got-a-port' })</script>`,
      ),
    ],
    'repeat',
  );
  const shown = await open()({ do: 'goto', url: `${outsider.origin}/` });
  expect(textOf(shown)).toContain(`This page belongs to ${outsider.origin}.`);
  expect((await outsider.requests()).map(({ path }) => path)).not.toContain('/got-a-port');
});

test('messages of a page that speaks the protocol itself are attributed to it, and malformed ones are dropped', async () => {
  const liar = `addEventListener('message', ({ data, ports: [port] }) => {
    if (!port) return;
    port.onmessage = ({ data }) => port.postMessage({ type: 'answer', id: data.id, ok: true, value: { title: {}, text: 5 } });
    port.postMessage({ type: 'event', event: { event: 'history', url: 'https://bank.example/', how: 'push', index: 1, length: 2 } });
    port.postMessage({ type: 'event', event: { event: 'ready', title: 'Bank' } });
  });
  for (let w = window; w.parent !== w; w = w.parent) w.parent.postMessage({ rolezero: 'driver', url: location.href, loaded: false }, '*');`;
  await outsider.script([html(`<title>Liar</title><script>${liar}</script>`)], 'repeat');
  const shown = await open()({ do: 'goto', url: `${outsider.origin}/` });
  expect(shown.tabs[0]?.url).toBe(`${outsider.origin}/`);
  expect(shown.notices.join()).toContain('an invalid reply');
  expect(shown.view).toBeNull();
});

test('the driver obeys only the applications it names: an untrusted parent page gets no answer', async () => {
  await outsider.script(
    [
      html(`<title>Stranger</title><iframe src="${site.origin}/"></iframe><script>
        const inner = document.querySelector('iframe');
        const report = [];
        addEventListener('message', ({ source, data }) => { if (source === inner.contentWindow) report.push(data); });
        inner.onload = () => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => report.push(data);
          inner.contentWindow.postMessage({ rolezero: 'drive', firstId: 1, dialogs: { accept: true, text: null }, quiet: null, prefix: '' }, '*', [port2]);
          port1.postMessage({ type: 'call', id: 1, request: { kind: 'view' } });
          setTimeout(() => parent.postMessage({ heardBy: location.origin, report }, '*'), 1000);
        };
      </script>`),
    ],
    'repeat',
  );
  const frame = document.createElement('iframe');
  frame.src = `${outsider.origin}/`;
  const heard = new Promise((resolve) => {
    addEventListener('message', ({ data }: MessageEvent<{ heardBy?: string; report?: unknown }>) => {
      if (data.heardBy === outsider.origin) resolve(data.report);
    });
  });
  element.append(frame);
  expect(await heard).toEqual([]);
});

test('a page of the application’s own origin is driven only where it is named', async () => {
  const page = new URL('./apps/own/page.html', import.meta.url).href;
  const refused = await open()({ do: 'goto', url: page });
  expect(textOf(refused)).toContain('does not list it in frame({ drive })');

  const say = open({ drive: [page.slice(0, page.lastIndexOf('/') + 1)] });
  const shown = await say({ do: 'goto', url: page });
  expect(textOf(await say(click(shown, "button 'Help me'")))).toContain('helped inside');
  const beside = await say({ do: 'goto', url: `${location.origin}/elsewhere.html` });
  expect(textOf(beside)).toContain('does not list it in frame({ drive })');
});

test.each([
  'https://a.example; script-src *',
  'https://*.example',
  'ftp://a.example',
  'https://a.example/x?y',
])('rejects a list of drivable origins that is not exact: %s', (text) => {
  expect(() => frame({ drive: [text] })).toThrow(expect.objectContaining({ code: 'invalid' }) as Error);
});

test('content of a site is untrusted, and acting there needs approval', async () => {
  const asked: string[] = [];
  const { session } = await agent(
    [
      ['Browser.goto', { url: `${site.origin}/` }],
      ['Browser.press', { key_comb: 'Tab' }],
    ],
    {
      policy: [{ tool: 'Terminal.*', do: 'ask' }],
      approve: ({ name }) => {
        asked.push(name);
        return false;
      },
    },
  );
  const shown = await outputs(session.send('go'));
  expect(asked).toEqual(['Browser.press']);
  expect(shown[1]).toContain('Refused by the user');
});
