// `node scripts/template-pictures.mjs`: takes the pictures of the demo's templates from their pages, into demo/public/templates. Run it after a
// template has changed.
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { chromiumPath, launchArguments } from './chromium.mjs';

const configFile = fileURLToPath(new URL('../demo/vite.config.ts', import.meta.url));
const into = fileURLToPath(new URL('../demo/public/templates/', import.meta.url));
/** In ms, for what a page draws after it has loaded. */
const UNTIL_DRAWN = 1_500;

await mkdir(into, { recursive: true });
await build({ configFile, logLevel: 'error' });
const server = await preview({ configFile, preview: { port: 0, host: '127.0.0.1' }, logLevel: 'error' });
const url = `http://127.0.0.1:${server.httpServer.address().port}/`;
const browser = await chromium.launch({ executablePath: chromiumPath(), args: launchArguments });
const page = await browser.newPage({ viewport: { width: 1800, height: 640 }, reducedMotion: 'reduce' });
await page.goto(url);
const names = await page
  .locator('[data-template]')
  .evaluateAll((buttons) => buttons.map((button) => button.dataset.template));
for (const name of names) {
  await page.goto(url);
  await page.locator('button.new').click();
  await page.locator(`[data-template="${name}"]`).click();
  const result = page.frameLocator('iframe[data-stage="user"]').frameLocator('iframe').frameLocator('iframe');
  await result.locator('body > *').first().waitFor();
  await page.waitForTimeout(UNTIL_DRAWN);
  const png = (await page.locator('.stages').screenshot()).toString('base64');
  const webp = await page.evaluate(smaller, png);
  await writeFile(`${into}${name}.webp`, Uint8Array.from(webp));
  console.log(`${name}: ${webp.length} bytes`);
}
await browser.close();
await server.close();

/**
 * Returns the upper part of a picture in the size of the gallery, as bytes of a WebP file. Runs in the page.
 * @param {string} png in base64
 */
async function smaller(png) {
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(320, 200);
  const height = (image.width * canvas.height) / canvas.width;
  const top = Math.max(0, (image.height - height) / 2);
  canvas.getContext('2d').drawImage(image, 0, top, image.width, height, 0, 0, canvas.width, canvas.height);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
  return [...new Uint8Array(await blob.arrayBuffer())];
}
