import { describe, expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { refusal, reply } from '../fault-server/replies.js';
import {
  conversation,
  editorText,
  fileContent,
  files,
  finished,
  model,
  page,
  PAGE,
  paused,
  pauseAt,
  plan,
  question,
  REQUEST,
  server,
  url,
  useDemo,
} from './demo/tip-calculator.js';
import { ask, connectModel, openPart } from './demo/visitor.js';

useDemo();

describe('the demo page', () => {
  it('takes a request through plan, files, a question and an edit to its end, and a reload shows the same', async () => {
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, REQUEST);
    await question().waitFor();
    expect(await plan()).toEqual(['1 done', '2 current']);
    await openPart(page, 'files');
    await page.locator('.cm-line', { hasText: '<b>10</b>' }).waitFor();
    expect(await editorText()).toBe(PAGE);
    await question().getByRole('button', { name: '15' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await finished();
    const before = { conversation: await conversation(), plan: await plan(), files: await files() };
    expect(before.plan).toEqual(['1 done', '2 done']);
    expect(before.files).toEqual(['/tip/index.html']);
    expect(before.conversation[0]).toBe(`You${REQUEST}`);
    expect(before.conversation.join('\n')).toContain('I begin with the page.');
    expect(before.conversation.join('\n')).toContain('You answered20');
    expect(before.conversation.at(-2)).toContain('The calculator is ready, with 20 %.');
    expect(before.conversation.at(-1)).toBe('1 file changed Undo: /tip/index.html');
    expect(await page.getByText('The calculator is ready, with 20 %.').count()).toBe(1); // not again as the summary
    expect(before.conversation.at(-2)).toMatch(/Finished tip\/index.html Open page Share$/);
    await openPart(page, 'files');
    await expect
      .poll(() => page.locator('.cm-changedLine').allTextContents())
      .toEqual(['<p>Tip: <b>20</b> %</p>']);

    await page.reload();
    await finished();
    await expect
      .poll(async () => ({ conversation: await conversation(), plan: await plan(), files: await files() }))
      .toEqual(before);
    expect(await fileContent('/tip/index.html')).toBe(PAGE.replace('10', '20'));
  });

  it('accepts typing at the moment the model dialog closes', async () => {
    await page.goto(url);
    await page.locator('button.model').click();
    await page.locator('dialog .cards').waitFor();
    // In one task of the page: no frame may be awaited in between.
    const focused = await page.evaluate(() => {
      document.querySelector<HTMLElement>('dialog .away')?.click();
      document.querySelector('rolezero-chat')?.focus();
      return document.activeElement?.shadowRoot?.activeElement?.getAttribute('name');
    });
    expect(focused).toBe('request');
  });

  it('continues a run that a reload interrupted, and does nothing twice', async () => {
    pauseAt(3);
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, REQUEST);
    await question().getByRole('button', { name: '20' }).click();
    await page.locator('.live').waitFor();
    const before = await conversation();
    await page.reload();
    await paused().waitFor();
    expect(await paused().textContent()).toMatch(/This run was interrupted\s+at .+\./);
    expect((await conversation()).slice(0, before.length)).toEqual(before);
    expect(await plan()).toEqual(['1 done', '2 current']);
    pauseAt(null);
    await page.getByRole('button', { name: 'Continue' }).click();
    await finished();
    const after = await conversation();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(await fileContent('/tip/index.html')).toBe(PAGE.replace('10', '20'));
    await page.reload();
    await finished();
    expect(await conversation()).toEqual(after);
  });

  it('names a rejected key and a solution; with the right one the run continues', async () => {
    server.script([refusal(401, 'Incorrect API key provided.')], 'repeat');
    await page.goto(url);
    await connectModel(page, server.url, { key: 'wrong-key' });
    await ask(page, REQUEST);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(
      /rejects the key[^]*Correct the key in the model settings[^]*refused the API key[^]*model-request/,
    );
    expect(await alert.textContent()).not.toContain('wrong-key');

    server.script([model], 'repeat');
    await connectModel(page, server.url, { key: 'right-key' });
    await page.getByRole('button', { name: 'Continue' }).click();
    await question().waitFor();
    expect(server.requests.at(-1)?.headers['authorization']).toBe('Bearer right-key');
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('right-key');

    await page.reload();
    await page.getByRole('button', { name: 'Enter the key' }).first().waitFor(); // The key was in memory only.
  });

  it('opens the models when none is connected, keeps the request, and sends it when one is: first result in 4 actions', async () => {
    await page.goto(url);
    await page.getByLabel('Your request').fill(REQUEST);
    await page.getByLabel('Your request').press('Enter'); // 1
    await page.getByText('Your request is saved.').waitFor();
    expect(await page.getByLabel('Your request').inputValue()).toBe(REQUEST);
    expect(await page.locator('main [data-entry]').count()).toBe(0);
    await page.locator('[data-card="server"]').click(); // 2
    await page.getByText('A server at another address').click(); // 3
    await page.getByLabel('Base URL').fill(server.url);
    await page.getByLabel('Base URL').press('Enter'); // 4
    await question().waitFor();
    expect(await page.getByLabel('Your request').inputValue()).toBe('');
    expect(await page.locator('button.model').getAttribute('data-link')).toBe('ok');
  });

  it('shows what a model writes as text, never as a part of the page', async () => {
    const attack =
      '<img src=x onerror="document.title=1"><script>document.title=2</script>[x](javascript:alert(1))';
    server.script([
      reply(
        commands(
          ['RoleZero.reply_to_human', { content: attack }],
          // Nested too deeply to be parsed as Markdown.
          ['RoleZero.reply_to_human', { content: `${'>'.repeat(5_000)} ${attack}` }],
          ['end', {}],
        ),
      ),
    ]);
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, REQUEST);
    await finished();
    expect(await page.locator('.reply').first().textContent()).toContain('<img src=x onerror=');
    expect(await page.locator('main :is(img, script, a[href^="javascript"])').count()).toBe(0);
    expect(await page.title()).toBe(`${REQUEST} · RoleZero`);
  });
});
