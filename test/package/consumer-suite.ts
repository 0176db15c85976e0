import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { launch, playPage } from './browser.js';
import type { Consumer } from './consumers.js';
import type { Site } from './static-server.js';

/** A shell command that changes the file the Editor wrote. */
export const cmd = 'sed -i s/hi/HI/ /a.txt';
/** The outcome of a session that ran `cmd`. */
export const changed = { status: 'done', replies: ['It is written.'], file: 'HI' };

/** In ms. The first suite with a build tool installs it. */
const INSTALL_AND_BUILD = 480_000;

/** Copies the application with the installed package. Returns the folder of the copy. */
export function copyOfApp(name: string): string {
  const { app, scratch } = inject('packed');
  const folder = join(scratch, name.replaceAll(/\W+/g, '-'));
  cpSync(app, folder, { recursive: true });
  return folder;
}

/** Builds an application with a build tool and runs its two pages in Chromium. */
export function consumerSuite({ name, spawnsFrom, shellFrom, serve }: Consumer): void {
  describe(`installed in an application made with ${name}`, () => {
    let browser: Browser;
    let site: Site;
    beforeAll(async () => {
      browser = await launch();
      site = await serve(copyOfApp(name));
    }, INSTALL_AND_BUILD);
    afterAll(async () => {
      await site?.close();
      await browser?.close();
    });

    test('runs a session in a worker file of the application, and the shell of its terminal in another worker', async () => {
      const { outcome, workers, errors } = await playPage(browser, `${site.origin}/own.html`, cmd);
      expect({ outcome, workers: workers.slice(-2), errors }).toEqual({
        outcome: changed,
        workers: ['file', shellFrom],
        errors: [],
      });
    });

    test('runs a session in the ready-made worker, and a shell from inline text', async () => {
      const { outcome, workers, errors } = await playPage(browser, `${site.origin}/spawn.html`, cmd);
      expect({ outcome, workers: workers.slice(-2), errors }).toEqual({
        outcome: changed,
        workers: [spawnsFrom, 'text'],
        errors: [],
      });
    });
  });
}
