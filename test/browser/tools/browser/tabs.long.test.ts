import { describe, expect, test } from 'vitest';
import { frame } from 'rolezero/tools/frame';
import { agent, outputs, place, say, type Step } from './agent.js';

const page = (title: string, body: string): string =>
  `<!doctype html><title>${title}</title><body><h1>${title}</h1>${body}`;
const goto = (url: string): Step => ['Browser.goto', { url }];
const press = (key: string): Step => ['Browser.press', { key_comb: key }];
const VIEW: Step = ['Browser.view', {}];

describe('the history of a tab', () => {
  const files = {
    '/one.html': page('One', '<a href="two.html?n=5#here">to two</a>'),
    '/two.html': page(
      'Two',
      `<p id="at"></p><a href="/three.html" target="_blank">to three</a><script>
        document.querySelector('#at').textContent = 'n is ' + new URLSearchParams(location.search).get('n');
        if (location.search === '?go') window.location.href = 'three.html';
        if (location.search === '?push') history.pushState({}, '', '?pushed');
      </script>`,
    ),
    '/three.html': page('Three', ''),
    '/again.html': page('Again', '<script>setTimeout(() => location.reload(), 0)</script>'),
  };

  test('links, scripts and history lead from page to page with their URLs', async () => {
    const shown = await say(
      [
        goto('/one.html'),
        press('Tab'),
        press('Enter'),
        VIEW,
        ['Browser.go_back', {}],
        ['Browser.go_forward', {}],
        [['Browser.go_forward', {}], VIEW],
        goto('/two.html?go'),
        goto('/two.html?push'),
        [
          ['Browser.go_back', {}],
          ['Browser.console', {}],
        ],
      ],
      { files },
    );
    const urls = shown.map((text) => /URL: (\S+)/.exec(text)?.[1] ?? text);
    expect(urls).toEqual([
      'file:///one.html',
      'file:///one.html',
      'file:///two.html?n=5#here',
      'file:///two.html?n=5#here',
      'file:///one.html',
      'file:///two.html?n=5#here',
      'There is no page to go forward to in this tab.',
      'file:///three.html',
      'file:///two.html?pushed',
      'file:///two.html?push',
      expect.stringContaining('Console of file:///two.html?push') as string,
    ]);
    expect(shown[3]).toContain('n is 5');
  });

  test('a link to a new window becomes a tab in front; tabs can be switched and closed', async () => {
    const shown = await say(
      [
        goto('/two.html'),
        press('Tab'),
        press('Enter'),
        ['Browser.tab_focus', { page_number: 0 }],
        ['Browser.tab_focus', { page_number: 7 }],
        ['Browser.tab_focus', { page_number: '1' }],
        ['Browser.close_tab', {}],
      ],
      { files },
    );
    expect(shown[2]).toBe(
      'SUCCESS, URL: file:///three.html have been loaded.\nfile:///three.html was opened in a new tab, which is tab 1 and in front now.\nTabs: 0 file:///two.html, 1 (in front) file:///three.html',
    );
    expect(shown[3]).toContain('URL: file:///two.html');
    expect(shown[4]).toBe('There is no tab 7. Tabs are counted from 0; there are 2.');
    expect(shown[5]).toContain('URL: file:///three.html');
    expect(shown[6]).toBe('SUCCESS, URL: file:///two.html have been loaded.');
  });

  test('a page that reloads itself endlessly is closed and reported', { timeout: 60_000 }, async () => {
    const waits = Array.from({ length: 12 }, (_, n): Step => [
      'Browser.wait_for_text',
      { text: `never ${n}`, seconds: 2 },
    ]);
    const shown = await say([goto('/again.html'), ...waits, VIEW], { files });
    expect(shown.join('\n')).toContain(
      'The page reloads itself endlessly and was closed. Browser.goto opens it again.',
    );
  });
});

describe('a page that misbehaves', () => {
  test('an endless loop ends the page, not the browser', { timeout: 60_000 }, async () => {
    const files = {
      '/loop.html': page('Loop', '<button onclick="for (;;);">loop</button>'),
      '/good.html': page('Good', ''),
    };
    const shown = await say([goto('/loop.html'), press('Tab'), press('Enter'), VIEW, goto('/good.html')], {
      files,
    });
    expect(shown[2]).toContain('It did not answer for 5 seconds');
    expect(shown[3]).toContain('Browser.goto opens it again');
    expect(shown[4]).toBe('SUCCESS, URL: file:///good.html have been loaded.');
  });

  test('a page that posts messages endlessly is ended', { timeout: 60_000 }, async () => {
    const loud = 'for (let i = 0; i < 3000; i++) history.replaceState(i, "");';
    const files = {
      '/loud.html': page('Loud', `<script>onkeydown = () => setInterval(() => { ${loud} }, 50);</script>`),
    };
    const wait: Step = ['Browser.wait_for_text', { text: 'x y', seconds: 3 }];
    const shown = await say([goto('/loud.html'), press('a'), wait, VIEW], { files });
    expect(shown.join()).toContain('It sent too many messages.');
    expect(shown[3]).toContain('Browser.goto opens it again');
  });

  test('dialogs are answered as configured, and reported', async () => {
    const ask = `addEventListener('keydown', () => { document.body.append('said ' + confirm('Really?') + ' ' + prompt('Name?')); });`;
    const shown = await say(
      [
        goto('/ask.html'),
        press('a'),
        ['Browser.answer_dialogs', { accept: true, text: 'Zoe' }],
        press('b'),
        ['Browser.answer_dialogs', { accept: false }],
        press('c'),
        VIEW,
      ],
      { files: { '/ask.html': page('Ask', `<script>${ask}</script>`) } },
    );
    expect(shown[1]).toContain('confirm "Really?"');
    expect(shown[6]).toContain('said true Zoe');
    expect(shown[6]).toContain('said false null');
  });
});

describe('after a reload', () => {
  test('tabs are reopened at their URLs, and the model receives that the rest is lost', async () => {
    const files = {
      '/one.html': page('One', '<a href="two.html" target="_blank">to two</a>'),
      '/two.html': page(
        'Two',
        '<script>addEventListener("keydown", () => { document.body.append("key was pressed"); });</script>',
      ),
    };
    const first = await agent([goto('/one.html'), press('Tab'), press('Enter'), press('a')], { files });
    expect((await outputs(first.session.send('go')))[3]).toContain('two.html');
    await first.session.close();
    first.element.replaceChildren(); // As a reload would.
    const second = await agent([VIEW, ['Browser.tab_focus', { page_number: 0 }]], { name: first.name });
    const shown = await outputs(second.session.send('go on'));
    expect(shown[0]).toContain(
      'The browser was restarted and its 2 pages were opened again at the same address',
    );
    expect(shown[0]).toContain('URL: file:///two.html');
    expect(shown[0]).not.toContain('key was pressed');
    expect(shown[1]).toContain('SUCCESS, URL: file:///one.html have been loaded.');
    expect(shown[1]).not.toContain('was restarted');
  });

  test('a command interrupted by a kill is not repeated: the model is notified to look', async () => {
    const tools = [frame({ element: place() })];
    const slow = press('a'); // After it, the page never settles, and the command waits.
    const restless =
      'onkeydown = () => setInterval(() => { document.title += "."; document.body.append("pressed "); }, 50);';
    const files = { '/one.html': page('One', `<script>${restless}</script>`) };
    const first = await agent([goto('/one.html'), slow], { files, tools });
    const started = new Promise<void>((resolve) => {
      first.session.on((event) => {
        if (event.type === 'command-start' && event.name === 'Browser.press') resolve();
      });
    });
    const run = first.session.send('go');
    run.result().catch(() => undefined);
    await started;
    await new Promise((resolve) => setTimeout(resolve, 500));
    first.worker.terminate();
    const second = await agent([VIEW], { name: first.name, tools });
    const shown = await outputs(second.session.resume());
    expect(shown[0]).toContain(
      'It was interrupted before, and it is not known whether it took effect. Check before you run it again.',
    );
    expect(shown[1]).toContain('URL: file:///one.html');
    expect(shown[1]).not.toContain('was restarted'); // The page itself did not navigate.
  });
});
