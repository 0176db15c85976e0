import type { Browser, BrowserContext, CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { servePage, startChromium } from './chromium.js';
import './vault/main.js';

// cspell:ignore ctap

const SECRET = 'sk-canary-4d2c8e-by-passkey';

let site: Awaited<ReturnType<typeof servePage>>;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([servePage('vault'), startChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** Opens the page with a virtual authenticator. Passkeys need a host name. */
async function open(context: BrowserContext, hasPrf: boolean): Promise<{ page: Page; devtools: CDPSession }> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      hasPrf,
    },
  });
  await page.goto(site.url.replace('127.0.0.1', 'localhost'));
  return { page, devtools };
}

it(
  'opens a vault with a passkey, after a reload too, and stores the secret nowhere',
  { tags: 'chromium' },
  async () => {
    const context = await browser.newContext();
    const { page } = await open(context, true);
    const stored = await page.evaluate((secret) => storeWithPasskey(secret), SECRET);
    expect(Buffer.from(stored.data).toString('latin1')).not.toContain('canary');
    await page.reload();
    expect(await page.evaluate(() => readWithPasskey())).toBe(SECRET);
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['rolezero-passkey']);
    await context.close();
  },
);

it('does not open it with another passkey', { tags: 'chromium' }, async () => {
  const context = await browser.newContext();
  const { page } = await open(context, true);
  await page.evaluate((secret) => storeWithPasskey(secret), SECRET);
  const error = await page.evaluate(async () => {
    localStorage.clear(); // a new passkey is created
    return readWithPasskey().catch((thrown: unknown) => String(thrown));
  });
  expect(error).toContain('The passphrase does not open this vault.');
  await context.close();
});

it('names what is missing where a passkey cannot compute secrets', { tags: 'chromium' }, async () => {
  const context = await browser.newContext();
  const { page } = await open(context, false);
  const error = await page.evaluate(
    (secret) => storeWithPasskey(secret).catch((thrown: unknown) => String(thrown)),
    SECRET,
  );
  expect(error).toContain('WebAuthn PRF');
  await context.close();
});
