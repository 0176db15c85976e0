import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { expect } from 'vitest';

/** Where models are served on the machine of whoever uses the demo: the dialog for models looks whether one is. */
const USUAL_SERVER = /\/\/localhost:(11434|1234|8080)\//;

/** One visit of the demo, in a browser that knows nothing of it yet. */
export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Leaves. @throws what the test is to fail of: the page complained, or asked something of untrusted sources. */
  end(): Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** What untrusted sources are; nothing of theirs is answered. Not looked at without. */
  isForeign?: (url: URL) => boolean;
}

/** The page is not opened yet. */
export async function startVisit(
  browser: Browser,
  { isForeign, ...options }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(60_000);
  const foreign = isForeign === undefined ? [] : await keepFromForeign(context, isForeign);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  return {
    context,
    page,
    end: async () => {
      await context.close();
      expect(foreign.filter((url) => !isUsualServer(url))).toEqual([]);
      expect(complaints).toEqual([]);
    },
  };
}

/** Nothing that is foreign is answered; what the pages asked for of it comes to stand in the list. */
async function keepFromForeign(context: BrowserContext, isForeign: (url: URL) => boolean): Promise<string[]> {
  const asked: string[] = [];
  await context.route(isForeign, (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  return asked;
}

/** What the page complains about from now on, but for what it asked for and did not get: that is what the page tells itself. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const refused = message.text().startsWith('Failed to load resource');
    const looked = USUAL_SERVER.test(message.text() + message.location().url);
    if (message.type() === 'error' && !refused && !looked) complaints.push(message.text());
  });
  return complaints;
}

function isUsualServer(url: string): boolean {
  return USUAL_SERVER.test(url) && new URL(url).pathname === '/v1/models';
}
