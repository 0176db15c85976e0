/** @module-tag webrtc */
import { afterEach, expect, test } from 'vitest';
import { pageTool, type ConnectOptions } from 'rolezero';
import { frame } from 'rolezero/tools/frame';
import * as z from 'zod';
import { wrapperDocument } from '../../../../src/tools/browser/frame/wrapper.js';
import { agent, outputs, place, say, type Step } from './agent.js';

const made: string[] = [];
afterEach(() => {
  for (const url of made.splice(0)) URL.revokeObjectURL(url);
});

/** Reports which interfaces for connections a realm has. */
const FOUND = `
  const found = Object.getOwnPropertyNames(globalThis).filter((name) => /^(webkit)?RTC|^WebTransport/.test(name));
  const p = document.createElement('p');
  p.textContent = document.title + ' has: ' + found.join(' ') + ';';
  document.body.append(p);
`;
const nested = (title: string) => `<title>${title}</title><body><script>${FOUND}</script>`;
const PAGE = `<!doctype html><title>page</title><body><p id="blank"></p>
<iframe id="static" srcdoc="${nested('first').replaceAll('"', '&quot;')}"></iframe>
<script>
  ${FOUND}
  const blank = document.createElement('iframe');
  document.body.append(blank);
  let realm = 'closed';
  try { realm = typeof blank.contentWindow.RTCPeerConnection; } catch {}
  document.getElementById('blank').textContent = 'about:blank is ' + realm;
  const made = document.createElement('iframe');
  made.srcdoc = ${JSON.stringify(nested('second')).replaceAll('</', '<\\/')};
  document.body.append(made);
</script>`;

test('neither a page nor the frames it creates have interfaces for WebRTC or WebTransport', async () => {
  expect('RTCPeerConnection' in globalThis).toBe(true); // the browser has it
  const shown = await say(
    [
      ['Browser.goto', { url: '/page.html' }],
      ['Browser.wait_for_text', { text: 'first has' }],
      ['Browser.wait_for_text', { text: 'second has' }],
      ['Browser.view', {}],
    ],
    { files: { '/page.html': PAGE } },
  );
  const view = shown.at(-1) ?? '';
  expect(view).toContain("'page has: ;'");
  expect(view).toContain("'first has: ;'");
  expect(view).toContain("'second has: ;'");
  expect(view).toContain('about:blank is closed');
});

/** A wrapper in a browser that lets no page use WebRTC. */
function closedWrapper(): string {
  const refuse = '<script>RTCPeerConnection = function () { throw new Error("forbidden"); }</script>';
  const document = wrapperDocument([]).replace('<body>', `<body>${refuse}`);
  const url = URL.createObjectURL(new Blob([document], { type: 'text/html' }));
  made.push(url);
  return url;
}

const READ: readonly Step[] = [
  ['Browser.goto', { url: 'https://site.example/' }],
  ['Editor.read', { path: '/mine.txt' }],
];

/** Opens a page, reads untrusted content and private data, and continues. Denies every approval. */
async function work(steps: readonly Step[], files: Record<string, string>, frameUrl?: string) {
  const asked: string[] = [];
  const approve: ConnectOptions['approve'] = (command) => {
    asked.push(command.name);
    return false;
  };
  const frames = { read: () => '<p>the site</p>', ...(frameUrl === undefined ? {} : { frameUrl }) };
  const { session } = await agent(steps, { files: { '/mine.txt': 'secret', ...files }, frames, approve });
  return { report: await outputs(session.send('Look at https://site.example/.')), asked };
}

test('asks before a page is opened once the role is exposed, also in a browser that closed WebRTC', async () => {
  const steps: Step[] = [['Browser.goto', { url: '/a.html' }], ...READ, ['Browser.goto', { url: '/b.html' }]];
  const files = { '/a.html': '<p>a page</p>', '/b.html': '<p>another page</p>' };
  expect((await work(steps, files)).asked).toEqual(['Browser.goto']);
  expect((await work(steps, files, closedWrapper())).asked).toEqual(['Browser.goto']); // it can still connect
});

test('pages that are open lead to no other page once the role is exposed, and load no files', async () => {
  const load =
    "fetch('/mine.txt').then(() => (this.textContent = 'loaded'), () => (this.textContent = 'refused'))";
  const page = `<a href="/b.html">Next</a><button onclick="${load}">Load</button>`;
  const click = (element: string): Step => ['Browser.click', { element_id: `{{${element}}}` }];
  const open: Step = ['Browser.goto', { url: '/a.html' }];
  const use: readonly Step[] = [click("link 'Next'"), click("button 'Load'"), ['Browser.view', {}]];
  const files = { '/a.html': page, '/b.html': page, '/mine.txt': 'secret' };
  const site = pageTool({
    name: 'Site.read',
    description: 'Reads a site.',
    input: z.object({}),
    untrusted: true,
    run: () => 'a site',
  });
  const tools = [frame({ element: place(), quiet: 60 }), site];
  const exposed = await say([open, ['Site.read', {}], ...use], { files, tools });
  expect(exposed.join('\n')).toContain('file:///b.html was not opened');
  expect(exposed.at(-1)).toContain("button 'refused'");
  const before = await say([open, ...use], { files, tools: [frame({ element: place(), quiet: 60 })] });
  expect(before.at(-1)).toContain('file:///b.html');
  expect(before.at(-1)).toContain("button 'loaded'");
});
