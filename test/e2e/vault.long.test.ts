import { createDecipheriv } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { servePage } from './chromium.js';
import { BACKENDS, KillableBrowser } from './killable-browser.js';
import type { Stored } from './vault/main.js';
import { firstOf } from '../size.js';

const SECRET = 'sk-canary-1f9e4b7a-in-a-vault';

let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  site = await servePage('vault');
});
afterAll(() => site?.close());

/** Returns the files of a profile, and those of its databases. */
function filesOf({ profile }: KillableBrowser): { files: Buffer[]; databases: Buffer[] } {
  const paths = readdirSync(profile, { recursive: true, encoding: 'utf8' });
  const found = paths.flatMap((path) => {
    const full = join(profile, path);
    return statSync(full, { throwIfNoEntry: false })?.isFile() ? [{ path, bytes: readFileSync(full) }] : [];
  });
  const files = found.map(({ bytes }) => bytes);
  const databases = found.flatMap(({ path, bytes }) => (/IndexedDB|WebStorage/.test(path) ? [bytes] : []));
  return { files, databases };
}

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
    return { stored, ...filesOf(browser) };
  } finally {
    await browser.remove();
  }
}

/** Tries every 32 bytes of the files as the key. Returns the one that decrypts the secret; null when none does. */
function keyIn({ iv, data }: Stored, files: readonly Buffer[]): Buffer | null {
  const text = Buffer.from(data).subarray(0, -16); // Without the tag.
  for (const bytes of files) {
    for (let at = 0; at + 32 <= bytes.length; at++) {
      const key = bytes.subarray(at, at + 32);
      const cipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv));
      if (cipher.update(text).toString('latin1') === SECRET) return Buffer.from(key);
    }
  }
  return null;
}

it.each(firstOf(BACKENDS))(
  'a copied profile with $backend opens a vault without a passphrase, and none with one',
  async ({ more }) => {
    const plain = await profileWith(null, more);
    expect(keyIn(plain.stored, plain.databases)).not.toBeNull(); // Why the passphrase exists.
    const sealed = await profileWith('a passphrase', more);
    expect(keyIn(sealed.stored, sealed.databases)).toBeNull();
    for (const { files } of [plain, sealed]) {
      expect(files.length).toBeGreaterThan(10);
      for (const bytes of files) {
        expect(bytes.includes(SECRET)).toBe(false);
        expect(bytes.includes(Buffer.from(SECRET, 'utf16le'))).toBe(false);
      }
    }
  },
);

it.each(firstOf(BACKENDS))(
  'a passphrase that is set later erases what was stored before from the profile with $backend, and reports it once',
  { timeout: 120_000 },
  async ({ more }) => {
    const browser = await KillableBrowser.make(undefined, more);
    const visit = async () => {
      const page = await (await browser.start()).newPage();
      await page.goto(site.url);
      return page;
    };
    try {
      const before = await visit();
      const stored = await before.evaluate((text) => store(text, null), SECRET);
      await before.waitForTimeout(1_000);
      await browser.kill();
      const key = keyIn(stored, filesOf(browser).databases);
      if (key === null) throw new Error('The key is not in the profile.');
      const after = await visit();
      const first = await after.evaluate(() => migrate('a passphrase'));
      const second = await after.evaluate(() => migrate('a passphrase'));
      expect([first, second]).toEqual([
        { secret: SECRET, exposed: ['key'] },
        { secret: SECRET, exposed: [] },
      ]);
      await after.waitForTimeout(10_000); // LevelDB compacts in the background.
      await browser.kill();
      const { databases } = filesOf(browser);
      const left = (part: Buffer) => databases.filter((bytes) => bytes.includes(part)).length;
      expect({ key: left(key), secret: left(Buffer.from(stored.data)) }).toEqual({ key: 0, secret: 0 });
    } finally {
      await browser.remove();
    }
  },
);
