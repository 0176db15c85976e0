import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch, playPage } from './browser.js';
import { changed, cmd, consumerSuite, copyOfApp } from './consumer-suite.js';
import { viteConsumers } from './consumers.js';
import { serveFolder, type Site } from './static-server.js';

for (const consumer of viteConsumers) consumerSuite(consumer);

describe('without a bundler', () => {
  let browser: Browser;
  let here: Site;
  let elsewhere: Site;
  const folder = copyOfApp('no bundler');
  beforeAll(async () => {
    browser = await launch();
    [here, elsewhere] = await Promise.all([serveFolder(folder), serveFolder(join(folder, 'node_modules'))]);
  });
  afterAll(() => Promise.all([browser?.close(), here?.close(), elsewhere?.close()]));

  /** Writes a page that imports the bundle of `rolezero/spawn` from `modules`. Returns its URL. */
  function pageWith(name: string, modules: string): string {
    const script = `import { spawn } from '${modules}/rolezero/dist/spawn/index.bundle.js';
      import { play } from './play.js';
      play((baseURL) => spawn({ model: { baseURL, model: 'scripted', contextWindow: 8192, jsonSchema: false }, terminal: true }));`;
    writeFileSync(join(folder, name), `<!doctype html><script type="module">${script}</script>`);
    return `${here.origin}/${name}`;
  }

  test('the bundle starts the worker next to it', async () => {
    expect(await playPage(browser, pageWith('near.html', './node_modules'), cmd)).toEqual({
      outcome: changed,
      workers: ['file', 'text'],
      errors: [],
    });
  });

  test('a bundle from another origin, such as a CDN, contains its worker', async () => {
    expect(await playPage(browser, pageWith('far.html', elsewhere.origin), cmd)).toEqual({
      outcome: changed,
      workers: ['text', 'text'],
      errors: [],
    });
  });
});
