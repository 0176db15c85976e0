import { describe, expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { reply } from '../fault-server/replies.js';
import { seriousIssues } from './demo/serious-issues.js';
import { finished, forgive, page, server, url, useDemo } from './demo/tip-calculator.js';
import { ask, connectModel, openPart, previewOf, previewShows } from './demo/visitor.js';

useDemo();

/** A page that a script makes long after it has loaded, and a button that counts clicks. */
const PAGE = `<!doctype html>
<title>Long</title>
<button onclick="this.textContent = Number(this.textContent) + 1">0</button>
<p>First</p>
<script>
  setTimeout(() => {
    for (let line = 0; line < 200; line++) document.body.append(Object.assign(document.createElement('p'), { textContent: 'Line ' + line }));
  }, 200);
</script>
`;
const END = reply(commands(['RoleZero.reply_to_human', { content: 'Written.' }], ['end', {}]));
const write = ['Editor.write', { path: '/index.html', content: PAGE }] as const;

/** The page in the frame of the user, or of the agent. */
const preview = (by: 'user' | 'agent' = 'user') => previewOf(page, by);
const shows = (text: string, by: 'user' | 'agent' = 'user') => previewShows(page, text, by);
const scrollTop = (by: 'user' | 'agent' = 'user') =>
  preview(by)
    .locator('html')
    .evaluate(() => scrollY)
    .catch(() => -1); // The frame is being replaced.
const scrollDown = (top: number, by: 'user' | 'agent' = 'user') =>
  preview(by)
    .locator('html')
    .evaluate((_, to) => window.scrollTo(0, to), top);
const widthButton = (name: string) => page.getByRole('button', { name });

async function begin(): Promise<void> {
  await page.goto(url);
  await connectModel(page, server.url);
  await ask(page, 'Write it');
  await finished();
}

/** The user edits the page in the editor. */
async function edit(added: string): Promise<void> {
  await openPart(page, 'files');
  await page.locator('[data-file="/index.html"]').click();
  await page.locator('.cm-line', { hasText: 'First' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(added);
  await openPart(page, 'preview');
}

describe('the preview of the demo', () => {
  it('keeps its scroll position when the user edits the page and when a step is undone', async () => {
    const second = ['Editor.replace_text', { path: '/index.html', old: 'First', new: 'Second' }] as const;
    server.script([reply(commands(write)), reply(commands(second)), END]);
    await begin();
    await shows('Line 199');
    await scrollDown(1_500);
    await page.locator('[data-undo]').last().click();
    await shows('First');
    await expect.poll(() => scrollTop()).toBe(1_500);
    await edit('<p>Typed</p>');
    await shows('Typed');
    await expect.poll(() => scrollTop()).toBe(1_500);
    await scrollDown(0);
    await edit('<p>Again</p>');
    await shows('Again');
    await shows('Line 199');
    expect(await scrollTop()).toBe(0);
  });

  it('keeps the scroll position of a page that the agent has opened', { tags: 'nightly' }, async () => {
    server.script([reply(commands(write, ['Browser.goto', { url: '/index.html' }])), END]);
    await begin();
    await shows('Line 199', 'agent');
    await scrollDown(900, 'agent');
    await edit('<p>Typed</p>');
    await shows('Typed');
    await expect.poll(() => scrollTop()).toBe(900);
  });

  it('loads the page again, and keeps its scroll position', { tags: 'nightly' }, async () => {
    server.script([reply(commands(write)), END]);
    await begin();
    await shows('Line 199');
    await preview().getByRole('button', { name: '0' }).click();
    await preview().getByRole('button', { name: '1' }).waitFor();
    await scrollDown(700);
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await preview().getByRole('button', { name: '0' }).waitFor();
    await expect.poll(() => scrollTop()).toBe(700);
  });

  it('shows the newest files after a run that used its page after changing them, also with an undo', async () => {
    const replace = (to: string, from: string) =>
      ['Editor.replace_text', { path: '/index.html', old: from, new: to }] as const;
    const click = ['Browser.console', {}] as const; // Any command that uses the open page.
    server.script([
      reply(commands(write, ['Browser.goto', { url: '/index.html' }])),
      reply(commands(replace('Second', 'First'))),
      reply(commands(replace('Third', 'Second'), click)),
      reply(commands(['Editor.undo_edit', { path: '/index.html' }], click)),
      END,
    ]);
    await begin();
    await shows('Second');
  });

  it('shows the errors of the page, and asks the agent to fix them', async () => {
    const broken = '<!doctype html><title>Sum</title><p>Sum</p><button onclick="total()">Add</button>';
    const fixed = broken.replace('<p>Sum', '<p>Total').replace('total()', "this.textContent = 'Added'");
    server.script([
      reply(commands(['Editor.write', { path: '/index.html', content: broken }])),
      END,
      reply(commands(['Editor.write', { path: '/index.html', content: fixed }])),
      END,
    ]);
    await begin();
    await shows('Sum');
    const errors = page.locator('.page-errors');
    expect(await errors.count()).toBe(0);
    await preview().getByRole('button', { name: 'Add' }).click();
    await errors.getByText('total is not defined').waitFor();
    forgive('total is not defined');
    expect(await seriousIssues(page)).toEqual([]);

    await errors.getByRole('button', { name: 'Fix it' }).click();
    await page
      .locator('.request')
      .getByText(/The page \/index\.html reports this error.*total is not defined/s)
      .waitFor();
    await expect.poll(() => errors.count()).toBe(0);
    await shows('Total');
    await preview().getByRole('button', { name: 'Add' }).click();
    await shows('Added');
    expect(await errors.count()).toBe(0);
  });

  it(
    'shows the errors of the page that the agent has opened, after the run',
    { tags: 'nightly' },
    async () => {
      const broken = '<!doctype html><title>Sum</title><p>Sum</p><script>total()</script>';
      server.script([
        reply(commands(['Editor.write', { path: '/index.html', content: broken }])),
        reply(commands(['Browser.goto', { url: '/index.html' }])),
        END,
      ]);
      await begin();
      await shows('Sum', 'agent');
      await page.locator('.page-errors').getByText('total is not defined').waitFor();
      forgive('total is not defined');
    },
  );

  it(
    'repairs the errors of the page automatically where the user wants that, at most twice',
    { tags: 'nightly' },
    async () => {
      const broken = (text: string) =>
        reply(
          commands([
            'Editor.write',
            {
              path: '/index.html',
              content: `<!doctype html><title>Sum</title><p>${text}</p><script>total()</script>`,
            },
          ]),
        );
      server.script([broken('First'), END, broken('Second'), END, broken('Third'), END]);
      await page.addInitScript(() => {
        if (window.top === window)
          localStorage.setItem('rolezero-demo:preferences', JSON.stringify({ fixes: true }));
      });
      await page.goto(url);
      await connectModel(page, server.url);
      await ask(page, 'Write it');
      await shows('Third');
      await page.locator('.page-errors').getByText('total is not defined').waitFor();
      expect(await page.locator('.request', { hasText: 'reports this error' }).count()).toBe(2);
      await expect.poll(() => page.locator('.status.ready').count()).toBe(1);
      forgive('total is not defined');
    },
  );

  it('is as wide as the user makes the workspace, and fills the screen', async () => {
    server.script([reply(commands(write)), END]);
    await begin();
    await shows('Line 199');
    const width = async () => (await page.locator('.work').boundingBox())?.width ?? 0;
    const before = await width();
    const border = page.getByRole('separator', { name: 'Width of the workspace' });
    const box = (await border.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width / 2, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 100, box.y + 220, { steps: 5 }); // over the page
    await page.mouse.up();
    expect(before - (await width())).toBeGreaterThan(80);
    await border.dblclick();
    expect(Math.abs((await width()) - before)).toBeLessThan(2);
    await border.press('ArrowLeft');
    const pressed = await width();
    expect(pressed).toBeGreaterThan(before);

    await page.getByRole('button', { name: 'Full screen' }).click();
    await expect
      .poll(() => page.evaluate(() => document.fullscreenElement?.className ?? ''))
      .toContain('stages');
    await page.evaluate(() => document.exitFullscreen());
    await page.reload();
    await border.waitFor();
    expect(Math.abs((await width()) - pressed)).toBeLessThan(2);
  });

  it(
    'shows the page as wide as a phone or a tablet, smaller where that does not fit, and usable',
    { tags: 'nightly' },
    async () => {
      server.script([reply(commands(write)), END]);
      await begin();
      await shows('Line 199');
      const width = () =>
        preview()
          .locator('html')
          .evaluate(() => innerWidth);
      const isInside = () =>
        page.locator('iframe[data-stage="user"]').evaluate((frame) => {
          const [inner, outer] = [frame, frame.closest('.stages')].map((each) =>
            each?.getBoundingClientRect(),
          );
          return (
            inner !== undefined &&
            outer !== undefined &&
            inner.left >= outer.left - 1 &&
            inner.right <= outer.right + 1
          );
        });
      const full = await width();
      let clicks = 0;
      const use = async (): Promise<void> => {
        await preview().getByRole('button').click();
        expect(await preview().getByRole('button').textContent()).toBe(String(++clicks));
        expect(await isInside()).toBe(true);
      };
      await widthButton('Phone, 390 pixels').click();
      await expect.poll(width).toBe(390);
      await use();
      await widthButton('Tablet, 820 pixels').focus();
      await page.keyboard.press('Enter');
      await expect.poll(width).toBe(820); // Wider than the workbench.
      await use();
      expect(await widthButton('Tablet, 820 pixels').getAttribute('aria-pressed')).toBe('true');
      expect(await seriousIssues(page)).toEqual([]);
      await widthButton('Full width').click();
      await expect.poll(width).toBe(full);
      await use();
    },
  );
});
