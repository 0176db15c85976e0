import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { PROVIDERS, providerTable } from '../../contracts/provider-table.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('docs/models.md contains the table that the contract suite verified', () => {
  const [, table] = /^(\| model \| needs (?:.*\|\n)+)/m.exec(read('docs/models.md')) ?? [];
  expect(table).toBe(providerTable());
});

test('the contract suite tests every provider of the table', () => {
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    // Other tests write and remove modules of snippets meanwhile.
    .filter((path) => path.endsWith('.ts') && !/snippet-\d/.test(path))
    .map((path) => read(join('test', path)))
    .join('');
  const claimed = (row: string) => new RegExp(`row: '${row}'|[,(] '${row}'\\)`).test(tests);
  expect(Object.keys(PROVIDERS).filter((row) => !claimed(row))).toEqual([]);
});
