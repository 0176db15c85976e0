import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

const folder = new URL('../../../tiny-model/', import.meta.url);
const digest = (path: string) =>
  createHash('sha256')
    .update(readFileSync(new URL(path, folder)))
    .digest('hex');

test('the library of the tiny model is built from its sources; if not, run test/tiny-model/build-library.mjs', () => {
  const made: unknown = JSON.parse(readFileSync(new URL('library.json', folder), 'utf8'));
  const sources = readdirSync(new URL('library', folder)).toSorted();
  expect(made).toEqual({
    wasm: digest('library.wasm'),
    sources: Object.fromEntries(sources.map((name) => [name, digest(`library/${name}`)])),
  });
});

test('web-llm is the release whose internals the adapter and the tiny model use', () => {
  const require = createRequire(import.meta.url);
  const manifest = require('../../../../package.json') as Record<string, Record<string, string>>;
  const installed = readFileSync(
    new URL('../../../../node_modules/@mlc-ai/web-llm/package.json', import.meta.url),
    'utf8',
  );
  expect([
    manifest['devDependencies']?.['@mlc-ai/web-llm'],
    manifest['peerDependencies']?.['@mlc-ai/web-llm'],
    (JSON.parse(installed) as { version: string }).version,
  ]).toEqual(['0.2.86', '0.2.86', '0.2.86']);
});
