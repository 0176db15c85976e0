import type { Browser, BrowserContext } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wrapperDocument } from '../../src/tools/browser/frame/wrapper.js';
import { servePage, startChromium } from './chromium.js';
import { playToursAt } from './demo/visit.js';
import { serveDemo } from './demo/served-demo.js';

/** Only the application's own files, no code from text, and no HTML from text except through the library's policy. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'report-uri /violation',
];

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

/** Every response of the server has the policy, except pages with their own; violations are collected. */
async function under(policy: readonly string[], own: Record<string, string | null>): Promise<Strict> {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const violations: string[] = [];
  await context.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/violation') {
      const { 'csp-report': report } = route.request().postDataJSON() as { 'csp-report': Report };
      violations.push(
        `${report['document-uri']} ${report['violated-directive']} ${report['blocked-uri']} ${report['script-sample'] ?? ''} ${report['source-file'] ?? ''}:${report['line-number'] ?? ''}`,
      );
      return route.fulfill({ status: 204 });
    }
    const body = own[pathname];
    if (typeof body === 'string') return route.fulfill({ contentType: 'text/html', body });
    const response = await route.fetch();
    const headers = response.headers();
    if (body === undefined) headers['content-security-policy'] = policy.join('; ');
    return route.fulfill({ response, headers });
  });
  return { context, violations };
}
interface Strict {
  context: BrowserContext;
  violations: string[];
}
type Report = Record<string, string | undefined>;

describe("under a strict Content-Security-Policy with require-trusted-types-for 'script'", () => {
  it('page, worker and frames of the library violate nothing', async () => {
    const site = await servePage('strict');
    const { context, violations } = await under([...POLICY, 'trusted-types rolezero default'], {
      '/page-frame.html': wrapperDocument([]),
    });
    const page = await context.newPage();
    await page.goto(site.url);
    const { status, outputs } = await page.evaluate(() => window.strict.run());
    expect([status, violations]).toEqual(['done', []]);
    expect(outputs.join('\n')).toContain('More'); // The page was shown.
    expect(await page.evaluate(() => window.strict.assign())).toBe('TypeError');
    await expect.poll(() => violations.length).toBe(1); // Violations are reported.
    await context.close();
    await site.close();
  });

  it('the policy of the demo lets its page reach nothing else, and makes no text a document', async () => {
    const demo = await serveDemo();
    const elsewhere = await servePage('strict');
    const page = await browser.newPage();
    await page.goto(demo.url);
    await page.locator('[data-tour="find-and-fix"]').waitFor();
    const refused = await page.evaluate(async (address) => {
      const blocked: string[] = [];
      addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        blocked.push(`${effectiveDirective} ${blockedURI}`),
      );
      const isReached = await fetch(address).then(
        () => true,
        () => false,
      );
      let error = '';
      try {
        document.body.insertAdjacentHTML('beforeend', '<b>text</b>');
      } catch (thrown) {
        error = (thrown as Error).name;
      }
      while (blocked.length < 2) await new Promise((resolve) => setTimeout(resolve));
      return { isReached, error, blocked };
    }, elsewhere.url);
    expect(refused).toEqual({
      isReached: false,
      error: 'TypeError',
      blocked: [`connect-src ${elsewhere.url}`, 'require-trusted-types-for trusted-types-sink'],
    });
    await page.close();
    await demo.close();
    await elsewhere.close();
  });

  it('the demo, its shell and its pages violate nothing', async () => {
    const demo = await serveDemo();
    const { context, violations } = await under(
      POLICY.map((rule) => (rule.startsWith('style-src') ? "style-src 'self' 'unsafe-inline'" : rule)),
      { '/stage.html': null }, // It has its own policy, for what agents build.
    );
    await context.addInitScript(playToursAt, 50);
    const page = await context.newPage();
    await page.goto(demo.url);
    await page.locator('[data-tour="find-and-fix"]').click();
    await page.getByRole('button', { name: 'Approve' }).click({ timeout: 60_000 });
    await page.locator('[data-entry="finished"]').first().waitFor({ timeout: 60_000 });
    expect(violations).toEqual([]);
    await context.close();
    await demo.close();
  });
});
