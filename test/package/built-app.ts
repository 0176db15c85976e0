import type { Browser, Page } from 'playwright';
import { onTestFinished } from 'vitest';
import { startFaultServer, type FaultServer } from '../fault-server/fault-server.js';
import { serveFolder } from './static-server.js';

/** Starts a model server for one test, on its own port, so that each page reaches another origin. */
export async function startModel(options?: { cors?: boolean }): Promise<FaultServer> {
  const model = await startFaultServer(options);
  onTestFinished(() => model.close());
  return model;
}

/** An open application. `uncaught` collects the errors that the page does not handle. */
export interface OpenApp {
  page: Page;
  origin: string;
  uncaught: string[];
}

/**
 * Serves a built application and opens it in a new browser profile, for one test.
 *
 * @param prepare Called with the page before it is loaded.
 */
export async function openBuilt(
  browser: Browser,
  folder: string,
  prepare: (page: Page) => unknown = () => {},
): Promise<OpenApp> {
  const site = await serveFolder(folder);
  onTestFinished(() => site.close());
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const uncaught: string[] = [];
  page.on('pageerror', (error) => uncaught.push(error.message));
  await prepare(page);
  await page.goto(`${site.origin}/index.html`);
  return { page, origin: site.origin, uncaught };
}

/** The text that the page shows. */
export const textOf = (page: Page): Promise<string> => page.locator('body').innerText();
