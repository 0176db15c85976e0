import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { webgpuArguments } from '../../scripts/chromium.mjs';
import { saying } from '../tiny-model/model-files.js';
import { startModelServer, type ModelServer } from '../tiny-model/server.js';
import { servePage, startChromium } from './chromium.js';

let browser: Browser;
let site: Awaited<ReturnType<typeof servePage>>;
let models: ModelServer;

beforeAll(async () => {
  models = await startModelServer();
  site = await servePage('gpu');
  browser = await startChromium({ more: webgpuArguments });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await models?.close();
});

it(
  'a role whose GPU process dies in the middle of a reply reloads the model and finishes',
  { tags: 'chromium' },
  async () => {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(site.url);
    const content = 'written on the GPU, '.repeat(60);
    const reply = JSON.stringify({
      thought: 'Done.',
      category: 'TASK',
      commands: [
        { command_name: 'Editor.write', args: { path: '/a.txt', content } },
        { command_name: 'end', args: {} },
      ],
    });
    const working = page.evaluate(
      ([request, modelServer]) => gpu.work(request, { modelServer, losesGpu: false }),
      [`Write a file. ${saying(reply)}`, models.origin] as const,
    );
    await page.waitForFunction(() => gpu.heard > 0);
    const devtools = await browser.newBrowserCDPSession();
    await devtools.send('Browser.crashGpuProcess');
    expect(await working).toEqual({ status: 'done', warnings: ['model-device-lost'], file: content });
    expect(faults.filter((fault) => /uncaught|unhandled|OperationError/i.test(fault))).toEqual([]);
  },
);
