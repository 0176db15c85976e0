import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The pages in a folder by their paths. */
function pages(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  );
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

test('R-281 the reference is what the source says; npm run docs writes it anew', { timeout: 240_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rolezero-reference-'));
  try {
    execFileSync(process.execPath, [join(root, 'scripts/reference.mjs'), folder], { stdio: 'inherit' });
    const expected = pages(folder);
    const entries = Object.keys(
      (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object }).exports,
    );
    expect(Object.keys(expected)).toHaveLength(entries.length); // an index, and a page for each but package.json
    expect(pages(join(root, 'docs/reference'))).toEqual(expected);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
