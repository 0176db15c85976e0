import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright';
import { chromiumPath, launchArguments } from '../chromium.mjs';

/** A cross-origin isolated page has a clock resolution of five microseconds, others of a hundred. */
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** The reply of the model at `/model`. */
const REPLY = '[{"command_name": "end", "args": {}}]';

/**
 * Serves scripts by name and an empty page, with caching allowed. Answers as a model at `/model`; `/arrived` returns when the first byte of
 * the first request to it arrived since the last time, in ms since 1970.
 */
export async function serveScripts(
  scripts: ReadonlyMap<string, string>,
): Promise<{ origin: string; close: () => void }> {
  let arrivedAt: number | null = null;
  const server = createServer((request, response) => {
    const { url = '/' } = request;
    if (url === '/model') {
      arrivedAt ??= performance.timeOrigin + performance.now();
      request.resume().on('end', () => response.writeHead(200, ISOLATED).end(REPLY));
      return;
    }
    if (url === '/arrived') {
      response.writeHead(200, ISOLATED).end(String(arrivedAt));
      arrivedAt = null;
      return;
    }
    const script = scripts.get(url.slice(1));
    const [type, body] =
      script === undefined ? ['html', '<!doctype html><title>bench</title>'] : ['javascript', script];
    response
      .writeHead(200, { 'content-type': `text/${type}`, 'cache-control': 'max-age=3600', ...ISOLATED })
      .end(body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** Runs the work in a Chromium with a profile on disk, as users have, and removes the profile afterwards. */
export async function withBrowser<Value>(work: (context: BrowserContext) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'rolezero-bench-'));
  const executablePath = chromiumPath();
  try {
    const context = await chromium.launchPersistentContext(folder, {
      args: [...launchArguments],
      ...(executablePath === undefined ? {} : { executablePath }),
    });
    try {
      return await work(context);
    } finally {
      await context.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns for example `Chromium 156`. */
export async function browserName(context: BrowserContext): Promise<string> {
  const page = await context.newPage();
  const agent = await page.evaluate(() => navigator.userAgent);
  await page.close();
  return `Chromium ${/Chrome\/(\d+)/.exec(agent)?.[1] ?? '(unknown version)'}`;
}

/** Describes the hardware, so that figures are comparable, without identifying the machine. */
export function machine(): string {
  return `${cpus()[0]?.model.trim() || 'unknown processor'}, ${cpus().length} cores`;
}
