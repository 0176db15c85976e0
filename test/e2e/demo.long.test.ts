import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  fileContent,
  files,
  finished,
  page,
  PAGE,
  paused,
  pauseAt,
  question,
  REQUEST,
  server,
  url,
  useDemo,
} from './demo/tip-calculator.js';
import { ask, connectModel } from './demo/visitor.js';

useDemo();

describe('the demo page', () => {
  it('asks the same question after a reload, and continues with the answer', async () => {
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, REQUEST);
    await question().waitFor();
    await page.reload();
    await question().getByLabel('Your answer').fill('12.5');
    await question().getByRole('button', { name: 'Answer' }).click();
    await finished();
    expect(await fileContent('/tip/index.html')).toBe(PAGE.replace('10', '12.5'));
  });

  it('stops in the middle of a thought at Escape and continues from there', async () => {
    pauseAt(1);
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, REQUEST);
    await page.locator('.live', { hasText: 'I will run E' }).waitFor();
    await page.keyboard.press('Escape');
    await paused().waitFor();
    expect(await paused().textContent()).toContain('Stopped');
    expect(await files()).toEqual([]);
    pauseAt(null);
    await page.getByRole('button', { name: 'Continue' }).click();
    await question().getByRole('button', { name: '15' }).click();
    await finished();
    expect(await fileContent('/tip/index.html')).toBe(PAGE.replace('10', '15'));
    await expect.poll(() => page.locator('[data-command="Plan.append_task"]').count()).toBe(2);
  });

  it('remembers a key when the user chooses it', async () => {
    await page.goto(url);
    await connectModel(page, server.url, { key: 'kept-key', remember: true });
    await page.reload();
    await ask(page, REQUEST);
    await question().waitFor();
    expect(server.requests.at(-1)?.headers['authorization']).toBe('Bearer kept-key');
  });

  it('names an unreachable server and a solution', async () => {
    await page.goto(url);
    await connectModel(page, `http://127.0.0.1:${await freePort()}/v1`);
    await ask(page, REQUEST);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(
      /does not answer[^]*Start the server[^]*Could not reach[^]*model-unreachable/,
    );
  });
});

/** Returns a closed port. */
async function freePort(): Promise<number> {
  const probe = createHttpServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
