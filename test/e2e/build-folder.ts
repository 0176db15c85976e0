import { mkdirSync, mkdtempSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/** Creates an empty folder for a build, so that test files that build the same page can run at the same time. Remove it after use. */
export function buildFolder(name: string): string {
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(`${cache}e2e-${name}-`);
}
