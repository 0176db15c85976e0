// @ts-check
/**
 * A folder as an application hosts it for `python({ address, packages })`: the package `pyodide` with wheels beside it. The wheels of Pyodide's releases
 * are not on npm; pytest is pure Python, so those of the Python Package Index are the same. Only a long test needs it.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What pytest imports. The list of Pyodide has what earlier releases needed. */
const PACKAGES = ['iniconfig', 'packaging', 'pluggy', 'pygments', 'pytest'];

/** Below `node_modules`. */
export const PYTHON_PACKAGES = '.cache/extra/python';

/** @type {(path: string) => string} */
const inModules = (path) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));

/** Downloads the wheels on first use, with pip. */
export function pythonPackages() {
  const folder = inModules(PYTHON_PACKAGES);
  if (existsSync(folder)) return;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  cpSync(inModules('pyodide'), unfinished, { recursive: true });
  /** @type {{ packages: Record<string, { version: string, file_name: string, sha256: string, depends: string[] }> }} */
  const lock = JSON.parse(readFileSync(join(unfinished, 'pyodide-lock.json'), 'utf8'));
  const found = PACKAGES.map((name) => ({ ...lock.packages[name], name }));
  const wanted = found.map(({ name, version }) => `${name}==${version}`);
  const args = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--dest', unfinished];
  execFileSync('python3', [...args, ...wanted], { stdio: 'inherit' });
  for (const { name, file_name } of found) {
    const wheel = readFileSync(join(unfinished, String(file_name)));
    const sha256 = createHash('sha256').update(wheel).digest('hex'); // a release packs them again
    const depends = name === 'pytest' ? PACKAGES.filter((other) => other !== name) : [];
    Object.assign(lock.packages[name] ?? {}, { sha256, depends });
  }
  writeFileSync(join(unfinished, 'pyodide-lock.json'), JSON.stringify(lock));
  // Another process may have done it in the meantime, and uses it.
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
}
