import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { extraPackages } from '../../scripts/extra-packages.mjs';
import { publicEntries } from '../../scripts/public-entries.mjs';
import { root } from './paths.js';
import { node } from './run.js';

const { tarball } = inject('packed');
const entries = [...publicEntries().keys()];

test('types resolve and are valid under every module resolution that supports ESM', async () => {
  const program = join(
    extraPackages('are-the-types-wrong'),
    'node_modules/@arethetypeswrong/cli/dist/index.js',
  );
  // It exits with 1, and `node` rejects with the table, when something is wrong.
  const options = ['--profile', 'esm-only', '--no-emoji', '--no-color', '--include-entrypoints'];
  const paths = entries.flatMap((entry) => (entry === 'rolezero' ? [] : [entry.replace('rolezero/', '')]));
  const table = await node([program, tarball, ...options, ...paths], root);
  for (const entry of entries) expect(table).toContain(`"${entry}"`);
});
