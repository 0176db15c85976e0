import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { expect } from 'vitest';

/** Where local model servers run on the user's machine: the model dialog probes these ports. */
const USUAL_SERVER = /\/\/localhost:(11434|1234|8080)\//;

/** One visit of the demo in a new browser profile. */
export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Ends the visit. @throws Error when the page logged errors or requested something from foreign origins. */
  /** Expects this error of the page so far, and no other. */
  forgive: (text: string) => void;
  end(): Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** Which URLs are foreign: they are blocked, and requesting them fails the test. Default: no check. */
  isForeign?: (url: URL) => boolean;
  /** Default 50: the tests do not read the notes of the tours. */
  tourSpeed?: number;
}

/** Runs in every frame of the page; sandboxed ones have no storage. */
export function playToursAt(speed: number): void {
  if (window.top === window) localStorage.setItem('rolezero-demo:tour-speed', String(speed));
}

/** Does not open the page. */
export async function startVisit(
  browser: Browser,
  { isForeign, tourSpeed = 50, ...options }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(60_000);
  await context.addInitScript(playToursAt, tourSpeed);
  const foreign = isForeign === undefined ? [] : await keepFromForeign(context, isForeign);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  return {
    context,
    page,
    forgive: (text) => {
      expect([...new Set(complaints.splice(0))]).toEqual([text]);
    },
    end: async () => {
      await context.close();
      expect(foreign.filter((url) => !isUsualServer(url)).join('\n')).toBe('');
      expect(complaints.join('\n')).toBe('');
    },
  };
}

/** Blocks foreign requests. Returns a list that collects their URLs. */
async function keepFromForeign(context: BrowserContext, isForeign: (url: URL) => boolean): Promise<string[]> {
  const asked: string[] = [];
  await context.route(isForeign, (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  return asked;
}

/** Collects errors of the page from now on, except for failed requests, which the page reports itself. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const refused = message.text().startsWith('Failed to load resource');
    const looked = USUAL_SERVER.test(message.text() + message.location().url);
    const unknown = message.text().includes("'webrtc'"); // a directive that this browser does not know yet
    if (message.type() === 'error' && !refused && !looked && !unknown) complaints.push(message.text());
  });
  return complaints;
}

function isUsualServer(url: string): boolean {
  return USUAL_SERVER.test(url) && new URL(url).pathname === '/v1/models';
}
