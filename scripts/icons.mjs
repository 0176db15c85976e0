// `node scripts/icons.mjs`: renders the demo's SVG icon as PNG files in Chromium.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { chromiumPath, launchArguments } from './chromium.mjs';

const folder = fileURLToPath(new URL('../demo/public/', import.meta.url));
const drawing = await readFile(`${folder}icon.svg`, 'utf8');

/** `share`: the part of the image that the drawing covers; a maskable icon may lose its outer tenth on every side. */
const ICONS = [
  { name: 'icon-192', size: 192, share: 1, back: 'transparent' },
  { name: 'icon-512', size: 512, share: 1, back: 'transparent' },
  { name: 'maskable-512', size: 512, share: 0.7, back: '#f7f7fa' },
];

const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...launchArguments] });
try {
  for (const { name, size, share, back } of ICONS) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const style = `margin:0;height:100vh;display:grid;place-items:center;background:${back}`;
    await page.setContent(`<body style="${style}">${drawing}</body>`);
    await page.locator('svg').evaluate(
      (svg, side) => {
        svg.setAttribute('width', side);
        svg.setAttribute('height', side);
      },
      String(size * share),
    );
    await page.screenshot({ path: `${folder}icons/${name}.png`, omitBackground: true });
    await page.close();
  }
} finally {
  await browser.close();
}
