import { deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { packPage, unpackPage } from '../../../demo/state/packed-page.js';

it('puts a page into characters of an address, and gets it back', async () => {
  const page = `<title>Tea · 茶</title>${'<p>a line</p>'.repeat(5_000)}`;
  const packed = await packPage(page);
  expect(packed).toMatch(/^[\w-]+$/);
  expect(packed.length).toBeLessThan(page.length / 50);
  expect(await unpackPage(packed)).toBe(page);
});

it.each(['', 'no page!', 'YWJj'])('rejects a damaged link: %j', async (packed) => {
  await expect(unpackPage(packed)).rejects.toThrow();
});

it('rejects a link that would fill the memory', async () => {
  const bomb = deflateRawSync(Buffer.alloc(21_000_000, 'a')).toString('base64url');
  await expect(unpackPage(bomb)).rejects.toThrow('more than 20000000 characters');
});
