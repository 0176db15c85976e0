import { describe, expect, test } from 'vitest';
import type { FrameOptions } from 'rolezero/tools/frame';
import { outputs, agent, say } from './agent.js';

const page = (body: string): string => `<!doctype html><title>A page</title><body>${body}`;

describe('pages built from the session’s files', () => {
  test('several files: scripts, modules that import each other, styles, images, data', async () => {
    const [, view = '', log = ''] = await say(
      [
        ['Browser.goto', { url: '/app/index.html?who=me#top' }],
        ['Browser.view', {}],
        ['Browser.console', {}],
      ],
      {
        files: {
          '/app/index.html': `<!doctype html><title>App</title>
<link rel="stylesheet" href="css/style.css"><script type="importmap">{"imports": {"lib": "./lib/lib.js", "parts/": "./parts/"}}</script>
<img src="dot.svg" alt="dot"><p id="styled">styled</p><ul></ul>
<script>window.add = (text) => { const li = document.createElement('li'); li.textContent = text; document.querySelector('ul').append(li); };</script>
<script src="classic.js"></script>
<script type="module" src="./main.js"></script>
<script type="module">import { name } from './main.js'; add('inline module: ' + name);</script>`,
          '/app/css/style.css': `/* @import "gone.css"; it's url(gone.png) */ @import "more.css"; body { background: url("../dot.svg"); } p::after { content: "/* " } /* url(gone.svg)`,
          '/app/css/more.css': '#styled { color: rgb(1, 2, 3); }',
          '/app/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"></svg>',
          '/app/classic.js': `add('classic: ' + location.pathname + location.search + location.hash);`,
          '/app/main.js': `import { lib } from 'lib'; import part from 'parts/part.js'; import data from './data.json' with { type: 'json' };
export const name = 'main';
add([lib(), part, data.n, import.meta.url, getComputedStyle(document.querySelector('#styled')).color, document.images[0].naturalWidth].join(' '));
import('./late.js').then(({ late }) => add(late));`,
          '/app/lib/lib.js': `import { name } from '../main.js'; export const lib = () => 'lib of ' + name;`,
          '/app/parts/part.js': `export default 'part';`,
          '/app/late.js': `export const late = 'late';`,
          '/app/data.json': '{"n": 42}',
        },
      },
    );
    for (const line of [
      'classic: /app/index.html?who=me#top',
      'lib of main part 42 https://workspace.invalid/app/main.js rgb(1, 2, 3) 7',
      'inline module: main',
      'late',
    ])
      expect(view).toContain(line);
    expect(view).toMatch(
      /^Current Browser Viewer\n URL: file:\/\/\/app\/index\.html\?who=me#top\nOBSERVATION:\n/,
    );
    expect(log).toContain('(nothing)');
  });

  test('a page receives the files it references and no others; missing ones are in its console', async () => {
    const [, view = '', log = ''] = await say(
      [
        ['Browser.goto', { url: '/index.html' }],
        ['Browser.view', {}],
        ['Browser.console', {}],
      ],
      {
        files: {
          '/index.html': page(
            `<img src="none.png" alt=""><script src="used.js"></script><script>document.body.append('all: ' + document.documentElement.outerHTML.includes(atob('${btoa(btoa('secret-content').slice(0, 12))}')))</script>`,
          ),
          '/used.js': 'document.body.append("used ")',
          '/secret.txt': 'secret-content',
        },
      },
    );
    expect(view).toContain('used all: false');
    expect(log).toContain('error: file:///none.png could not be loaded: There is no file /none.png.');
  });

  test('reports a file that is not a page, and one that does not exist', async () => {
    const shown = await say(
      [
        ['Browser.goto', { url: 'notes.txt' }],
        ['Browser.view', {}],
        ['Browser.goto', { url: '/gone.html' }],
        ['Browser.goto', { url: '/app' }],
        ['Browser.goto', { url: 'javascript:alert(1)' }],
      ],
      { files: { '/notes.txt': 'a <b> c', '/app/x.txt': '' } },
    );
    expect(shown[1]).toContain('a <b> c');
    expect(shown.slice(2)).toEqual([
      'file:///gone.html cannot be opened: There is no file /gone.html.',
      'file:///app cannot be opened: /app is a directory without an index.html.',
      'A javascript: address cannot be opened here. Open a file of the workspace by its path, or a page with http or https.',
    ]);
  });

  test('A-215 a command before any page is open reports it', async () => {
    const clear = 'No page is open. Open one with Browser.goto first.';
    // After five failed steps, a request would ask its user.
    const shown = [
      ...(await say([
        ['Browser.click', { element_id: 1 }],
        ['Browser.type', { element_id: '1', content: 'x' }],
        ['Browser.press', { key_comb: 'Enter' }],
        ['Browser.scroll', { direction: 'down' }],
      ])),
      ...(await say([
        ['Browser.go_back', {}],
        ['Browser.tab_focus', { page_number: 0 }],
        ['Browser.close_tab', {}],
        ['Browser.view', {}],
      ])),
    ];
    expect(shown).toEqual(Array(8).fill(clear));
  });

  test('without the page side there is no browser, and both the model and the developer get the reason', async () => {
    const [shown = ''] = await say([['Browser.goto', { url: '/a.html' }]], { tools: [] });
    expect(shown).toContain('There is no browser');
    expect(shown).toContain('rolezero/tools/frame');
  });
});

describe('pages of the web', () => {
  const web: Record<string, string> = {
    'https://site.example/': page(
      '<a href="/two">two</a> <img src="/dot.svg" alt=""><script>document.body.append(" at " + location.href + " " + document.images[0].complete)</script>',
    ),
    'https://site.example/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"></svg>',
  };
  const asked: string[] = [];
  const frames: FrameOptions = {
    read: (url) => {
      asked.push(url);
      const content = web[url];
      if (content === undefined) throw new Error('no such page');
      return content;
    },
  };

  test('are read through the application’s reader, in the same frame with an opaque origin', async () => {
    const shown = await say(
      [
        ['Browser.goto', { url: 'https://user:password@site.example/' }],
        ['Browser.view', {}],
        ['Browser.goto', { url: 'https://site.example/none' }],
      ],
      { frames, policy: [{ tool: 'Browser.goto', do: 'allow' }] }, // The second URL comes only from the model.
    );
    expect(shown[0]).toBe('SUCCESS, URL: https://site.example/ have been loaded.');
    expect(shown[1]).toContain('at https://site.example/ true');
    expect(shown[2]).toBe('https://site.example/none cannot be opened: no such page');
    expect(asked).toEqual([
      'https://site.example/',
      'https://site.example/dot.svg',
      'https://site.example/none',
    ]);
  });

  test('a role asks before it acts on them, but not on its own files', async () => {
    const asking: string[] = [];
    const { session } = await agent(
      [
        ['Browser.goto', { url: '/own.html' }],
        ['Browser.go_back', {}],
        ['Browser.goto', { url: 'https://site.example/' }],
        ['Browser.press', { key_comb: 'Enter' }],
        ['Editor.write', { path: '/a.txt', content: 'x' }],
      ],
      {
        frames,
        files: { '/own.html': page('own') },
        policy: [{ tool: 'Terminal.*', do: 'ask' }],
        approve: ({ name }) => {
          asking.push(name);
          return false;
        },
      },
    );
    const shown = await outputs(session.send('go'));
    expect(asking).toEqual(['Browser.press']);
    expect(shown[3]).toContain('Refused by the user');
    expect(await session.files.read('/a.txt')).toBe('x');
  });

  test('without a reader they are shown to the user, and the model receives why it sees nothing', async () => {
    const [shown, view] = await say([
      ['Browser.goto', { url: `${location.origin}/nothing-here` }],
      ['Browser.view', {}],
    ]);
    expect(shown).toBe(`SUCCESS, URL: ${location.origin}/nothing-here have been loaded.`);
    expect(view).toContain(`This page belongs to ${location.origin}.`);
    expect(view).toContain('frame({ read })');
  });
});
