import { createDecipheriv } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { servePage } from './chromium.js';
import { BACKENDS, KillableBrowser } from './killable-browser.js';
import type { Stored } from './vault/main.js';

const SECRET = 'sk-canary-1f9e4b7a-in-a-vault';

let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  site = await servePage('vault');
});
afterAll(() => site?.close());

/** Stores the secret in a new profile. Returns what is stored, and the files of the profile after the browser has ended. */
async function profileWith(
  passphrase: string | null,
  more: readonly string[],
): Promise<{ stored: Stored; files: Buffer[]; databases: Buffer[] }> {
  const browser = await KillableBrowser.make(undefined, more);
  try {
    const context = await browser.start();
    const page = await context.newPage();
    await page.goto(site.url);
    const stored = await page.evaluate(([text, phrase]) => store(text, phrase), [
      SECRET,
      passphrase,
    ] as const);
    await page.waitForTimeout(1_000); // The browser writes its commits to disk.
    await browser.kill();
    const paths = readdirSync(browser.profile, { recursive: true, encoding: 'utf8' });
    const found = paths.flatMap((path) => {
      const full = join(browser.profile, path);
      return statSync(full, { throwIfNoEntry: false })?.isFile() ? [{ path, bytes: readFileSync(full) }] : [];
    });
    const files = found.map(({ bytes }) => bytes);
    const databases = found.flatMap(({ path, bytes }) => (/IndexedDB|WebStorage/.test(path) ? [bytes] : []));
    return { stored, files, databases };
  } finally {
    await browser.remove();
  }
}

/** Tries every 32 bytes of the files as the key. Returns whether one of them decrypts the secret. */
function isOpened({ iv, data }: Stored, files: readonly Buffer[]): boolean {
  const text = Buffer.from(data).subarray(0, -16); // Without the tag.
  return files.some((bytes) => {
    for (let at = 0; at + 32 <= bytes.length; at++) {
      const cipher = createDecipheriv('aes-256-gcm', bytes.subarray(at, at + 32), Buffer.from(iv));
      if (cipher.update(text).toString('latin1') === SECRET) return true;
    }
    return false;
  });
}

it.each(BACKENDS)(
  'a copied profile with $backend opens a vault without a passphrase, and none with one',
  async ({ more }) => {
    const plain = await profileWith(null, more);
    expect(isOpened(plain.stored, plain.databases)).toBe(true); // Why the passphrase exists.
    const sealed = await profileWith('a passphrase', more);
    expect(isOpened(sealed.stored, sealed.databases)).toBe(false);
    for (const { files } of [plain, sealed]) {
      expect(files.length).toBeGreaterThan(10);
      for (const bytes of files) {
        expect(bytes.includes(SECRET)).toBe(false);
        expect(bytes.includes(Buffer.from(SECRET, 'utf16le'))).toBe(false);
      }
    }
  },
);
