import { build } from 'esbuild';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startChromium } from './chromium.js';

let browser: Browser;
let server: Server;

/** Opens 50 files while garbage is collected all the time. Runs in a worker. */
const WORKER = `
import { opfsJournals } from './src/storage/opfs-journals.ts';

const pause = (ms: number) => new Promise((next) => setTimeout(next, ms));

onmessage = async () => {
  const folder = await opfsJournals('collected').folder('s', { create: true });
  let missing = 0;
  for (let at = 0; at < 50; at++) {
    let isOpen = false;
    void folder?.create('file' + at).then((file) => {
      isOpen = true;
      file.close();
    });
    for (let round = 0; round < 30; round++) {
      (globalThis as unknown as { gc(): void }).gc();
      await pause(0);
    }
    for (let waited = 0; waited < 5_000 && !isOpen; waited += 20) await pause(20);
    if (!isOpen && ++missing === 3) break;
  }
  postMessage(missing);
};
`;

beforeAll(async () => {
  const resolveDir = fileURLToPath(new URL('../..', import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents: WORKER, resolveDir, loader: 'ts' },
    bundle: true,
    write: false,
  });
  const script = outputFiles[0]?.text ?? '';
  server = createServer(({ url }, response) => {
    const isScript = url === '/worker.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><title>files</title>');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  browser = await startChromium({ more: ['--js-flags=--expose-gc'] });
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

it('opens files of the replica while garbage is collected', { tags: 'chromium' }, async () => {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const missing = await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const worker = new Worker('/worker.js');
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(null);
      }),
  );
  expect(missing).toBe(0);
});
