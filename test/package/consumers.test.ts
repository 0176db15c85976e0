import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { launch, playPage } from './browser.js';
import { consumers } from './consumers.js';
import { serveFolder, type Site } from './static-server.js';

const { app, scratch } = inject('packed');
/** What the shell does to the file that the Editor wrote. */
const cmd = 'sed -i s/hi/HI/ /a.txt';
const changed = { status: 'done', replies: ['It is written.'], file: 'HI' };

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

function copyOfApp(name: string): string {
  const folder = join(scratch, name.replaceAll(/\W+/g, '-'));
  cpSync(app, folder, { recursive: true });
  return folder;
}

describe.each(consumers)(
  'installed in an application made with $name',
  ({ name, spawnsFrom, shellFrom, serve }) => {
    let site: Site;
    beforeAll(async () => {
      site = await serve(copyOfApp(name));
    });
    afterAll(() => site?.close());

    test('a worker file of the application runs a session, and its terminal a shell in a further worker', async () => {
      const { outcome, workers, errors } = await playPage(browser, `${site.origin}/own.html`, cmd);
      expect({ outcome, workers: workers.slice(-2), errors }).toEqual({
        outcome: changed,
        workers: ['file', shellFrom],
        errors: [],
      });
    });

    test('the ready-made worker runs a session, and a shell that came as text', async () => {
      const { outcome, workers, errors } = await playPage(browser, `${site.origin}/spawn.html`, cmd);
      expect({ outcome, workers: workers.slice(-2), errors }).toEqual({
        outcome: changed,
        workers: [spawnsFrom, 'text'],
        errors: [],
      });
    });
  },
);

describe('without a bundler', () => {
  let here: Site;
  let elsewhere: Site;
  const folder = copyOfApp('no bundler');
  beforeAll(async () => {
    [here, elsewhere] = await Promise.all([serveFolder(folder), serveFolder(join(folder, 'node_modules'))]);
  });
  afterAll(() => Promise.all([here.close(), elsewhere.close()]));

  /** Writes a page that imports the bundle of `rolezero/spawn` from `modules`; gives its address. */
  function pageWith(name: string, modules: string): string {
    const script = `import { spawn } from '${modules}/rolezero/dist/spawn/index.bundle.js';
      import { play } from './play.js';
      play((baseURL) => spawn({ model: { baseURL, model: 'scripted', contextWindow: 8192 }, terminal: true }));`;
    writeFileSync(join(folder, name), `<!doctype html><script type="module">${script}</script>`);
    return `${here.origin}/${name}`;
  }

  test('the bundle starts the worker beside it', async () => {
    expect(await playPage(browser, pageWith('near.html', './node_modules'), cmd)).toEqual({
      outcome: changed,
      workers: ['file', 'text'],
      errors: [],
    });
  });

  test('a bundle from another origin, such as a CDN, brings its worker along', async () => {
    expect(await playPage(browser, pageWith('far.html', elsewhere.origin), cmd)).toEqual({
      outcome: changed,
      workers: ['text', 'text'],
      errors: [],
    });
  });
});
