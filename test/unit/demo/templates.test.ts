import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { templateFiles } from '../../../demo/templates/index.js';
import { TEMPLATE_NAMES } from '../../../demo/templates/names.js';
import { en } from '../../../demo/text/en.js';
import { zh } from '../../../demo/text/zh.js';

const pictures = new URL('../../../demo/public/templates/', import.meta.url);

describe('the templates of the demo', () => {
  it.each(TEMPLATE_NAMES)(
    'have a page that needs no network, a title in each language, and a small picture: %s',
    async (name) => {
      const files = await templateFiles(name);
      const page = files['/index.html'] ?? '';
      expect(page).toMatch(/<html lang="en">[^]*<meta name="viewport"[^]*<title>[^<]+<\/title>/);
      expect(Object.values(files).join('\n')).not.toMatch(/https?:/);
      for (const { templates } of [en, zh]) expect(templates[name]).not.toBe('');
      const picture = readFileSync(fileURLToPath(new URL(`${name}.webp`, pictures)));
      expect(picture.subarray(8, 12).toString()).toBe('WEBP');
      expect(picture.length).toBeLessThan(8_000);
    },
  );
});
