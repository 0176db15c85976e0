import { describe, expect, test } from 'vitest';
import type { Session } from 'rolezero';
import { agent, outputs, say } from './agent.js';

const page = (body: string, script = ''): string =>
  `<!doctype html><title>A page</title><body>${body}<pre id="log"></pre><script>
    const log = (...words) => { document.querySelector('#log').textContent += words.join(' ') + ' '; };
    ${script}</script>`;

/** Returns the number of the first element in a view whose line contains this text. */
function idOf(view: string, text: string): string {
  const line = view.split('\n').find((each) => each.includes(text)) ?? '';
  return /\[([\d.]+)\]/.exec(line)?.[1] ?? `no ${text} in\n${view}`;
}

/** Returns the view after the commands. Their element numbers come from a first look at the page. */
async function use(
  files: Record<string, string>,
  steps: (id: (text: string) => string) => Parameters<typeof say>[0],
  options: Parameters<typeof say>[1] = {},
): Promise<string[]> {
  const open = ['Browser.goto', { url: '/index.html' }] as const;
  const [, first = ''] = await say([open, ['Browser.view', {}]], { ...options, files });
  const all = [open, ...steps((text) => idOf(first, text)), ['Browser.view', {}] as const];
  return (await say(all, { ...options, files })).slice(1);
}

/** What the model received after each of its replies. */
async function promptsOf(session: Session): Promise<string[]> {
  const { records } = await session.export();
  return records
    .filter(({ table }) => table === 'turns')
    .map(({ value }) => value as { role: string; content: string })
    .filter(
      ({ role, content }) =>
        role === 'user' && /(?:Give your thought and the next commands|Go on)\.$/.test(content),
    )
    .slice(1)
    .map(({ content }) => content);
}

describe('commands on a page', () => {
  test('A-211 names elements by number and text, and reports those that do not exist', async () => {
    const files = {
      '/index.html': page(
        '<button>one</button>',
        'document.querySelector("button").onclick = () => log("clicked");',
      ),
    };
    const shown = await use(files, (id) => [
      ['Browser.click', { element_id: Number(id("'one'")) }],
      ['Browser.click', { element_id: id("'one'") }],
      ['Browser.click', { element_id: 33 }],
      ['Browser.hover', { element_id: '[33]' }],
    ]);
    expect(shown.slice(0, 2)).toEqual(Array(2).fill('SUCCESS, URL: file:///index.html have been loaded.'));
    expect(shown[2]).toContain('Element 33 not found');
    expect(shown[3]).toContain('Element 33 not found');
    expect(shown.at(-1)?.match(/clicked/g)).toHaveLength(2);
  });

  test('A-212 click, type, hover and press happen once; Enter follows the typed text', async () => {
    const files = {
      '/index.html': page(
        '<button>b</button><form><input aria-label="field"></form>',
        `const b = document.querySelector('button'), field = document.querySelector('input');
        for (const type of ['click', 'mouseenter']) b.addEventListener(type, () => log(type, 'b'));
        field.addEventListener('keydown', ({ key }) => log('key', key, JSON.stringify(field.value)));
        document.forms[0].addEventListener('submit', (event) => { event.preventDefault(); log('submit', field.value); });`,
      ),
    };
    const shown = await use(files, (id) => [
      ['Browser.hover', { element_id: id("'b'") }],
      ['Browser.click', { element_id: id("'b'") }],
      ['Browser.type', { element_id: id("'field'"), content: 'hi', press_enter_after: true }],
      ['Browser.type', { element_id: id("'field'"), content: '!' }],
      ['Browser.press', { key_comb: 'End' }],
    ]);
    const log = [
      'mouseenter b',
      'click b',
      'key h ""',
      'key i "h"',
      'key Enter "hi"',
      'submit hi',
      'key ! "hi"',
      'key End "hi!"',
    ];
    const view = shown.at(-1) ?? '';
    const found = [...view.matchAll(/(?:mouseenter|click) b|key \S+ "[^"]*"|submit \w+/g)].map(
      ([each]) => each,
    );
    expect(found).toEqual(log);
  });

  test('effects of commands are reported once, after them: the complete page first, then its changes', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `<p>line number ${index}</p>`).join('');
    const files = {
      '/index.html': page(
        `<button>more</button>${lines}`,
        'document.querySelector("button").onclick = () => log("something new");',
      ),
    };
    const [, first = ''] = await say(
      [
        ['Browser.goto', { url: '/index.html' }],
        ['Browser.view', {}],
      ],
      { files },
    );
    const { session } = await agent(
      [
        ['Browser.goto', { url: '/index.html' }],
        ['Browser.click', { element_id: idOf(first, "'more'") }],
        ['Editor.write', { path: '/a.txt', content: 'x' }],
        ['Browser.view', {}],
      ],
      { files },
    );
    const shown = await outputs(session.send('go'));
    expect(shown[0]).toBe('SUCCESS, URL: file:///index.html have been loaded.');
    const prompts = await promptsOf(session);
    expect(prompts[0]).toContain('Current Browser Viewer\n URL: file:///index.html\nOBSERVATION:\n');
    expect(prompts[0]).toContain('line number 39');
    expect(prompts[1]).toContain('something new');
    expect(prompts[1]).not.toContain('line number 39');
    expect(prompts[2]).not.toContain('Current Browser Viewer');
    expect(prompts[3]?.match(/Current Browser Viewer/g)).toHaveLength(1);
  });

  test('A-214 closing the last tab opens an empty one, and no page is reported any more', async () => {
    const { session } = await agent(
      [
        ['Browser.goto', { url: '/index.html' }],
        ['Browser.close_tab', {}],
        ['Browser.click', { element_id: 1 }],
        ['Browser.goto', { url: '/index.html?again' }],
      ],
      { files: { '/index.html': page('words of the page') } },
    );
    const shown = await outputs(session.send('go'));
    expect(shown[1]).toBe('SUCCESS, URL: about:blank have been loaded.');
    expect(shown[2]).toBe('No page is open. Open one with Browser.goto first.');
    const prompts = await promptsOf(session);
    expect(prompts.map((text) => text.includes('Current Browser Viewer'))).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});
