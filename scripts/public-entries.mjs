import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @typedef {string | null | Record<string, string>} Target */

/** @returns {Record<string, Target>} `exports` of package.json, the only list of entry points */
function readExports() {
  return JSON.parse(readFileSync(`${root}package.json`, 'utf8')).exports;
}

/**
 * Maps each name that users import to its source file below `src/`: `rolezero/tools` → `tools/index.ts`. A pattern such as
 * `./providers/*` represents every source file that fits its target, except files below a pattern with the target `null`.
 *
 * @param {string} [condition] condition whose target is preferred to that of `types`, such as `node`
 * @returns {Map<string, string>}
 */
export function publicEntries(condition = 'types') {
  const exports = Object.entries(readExports());
  const internal = exports.flatMap(([key, target]) => (target === null ? [key.replace('*', '')] : []));
  const patterns = exports.filter(([key]) => key.includes('*'));
  const exact = exports.filter(([key]) => !key.includes('*'));
  /** @type {Map<string, string>} */
  const entries = new Map();
  for (const [key, target] of [...exact, ...patterns]) {
    if (target === null || typeof target === 'string') continue;
    const source = toSource(target[condition] ?? target['types'] ?? '');
    for (const [name, file] of key.includes('*') ? expand(key, source) : [[key, source]])
      if (!internal.some((prefix) => name?.startsWith(prefix)) && !entries.has(importName(name)))
        entries.set(importName(name), file ?? '');
  }
  return entries;
}

/** @param {string} path of a built file, such as `./dist/tools/index.d.ts` */
function toSource(path) {
  return path.replace('./dist/', '').replace(/(\.d\.ts|\.js)$/, '.ts');
}

/** @param {string | undefined} key of `exports` */
function importName(key = '') {
  return key.replace('.', 'rolezero');
}

/**
 * Lists the keys and source files that a pattern represents.
 *
 * @param {string} key such as `./providers/*`
 * @param {string} source such as `providers/` + name + `/index.ts`
 */
function expand(key, source) {
  const [start = '', end = ''] = source.split('*');
  return readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.startsWith(start) && path.endsWith(end) && path.length > start.length + end.length)
    .toSorted()
    .map((path) => [key.replace('*', path.slice(start.length, -end.length)), path]);
}
