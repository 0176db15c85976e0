import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { extraPackages } from '../../scripts/extra-packages.mjs';
import { root } from './paths.js';
import { node } from './run.js';

const { tarball } = inject('packed');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
};
const entries = Object.keys(manifest.exports).filter((entry) => entry !== './package.json');

test('types are found and right under every module resolution that knows ESM', async () => {
  const program = join(
    extraPackages('are-the-types-wrong'),
    'node_modules/@arethetypeswrong/cli/dist/index.js',
  );
  // It exits with 1, and `node` rejects with the table, when anything is wrong.
  const table = await node([program, tarball, '--profile', 'esm-only', '--no-emoji', '--no-color'], root);
  for (const entry of entries) expect(table).toContain(`"${entry.replace('.', 'rolezero')}"`);
});
