import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import { browserName, machine, withBrowser } from './browser.js';
import { measureStarts } from './starts.js';
import { storageSection, type StorageResult } from './storage-report.js';

/** Measures stored sessions, beside another checkout (`--before PATH`), and stores the figures for the page of all benchmarks. */
export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { before: { type: 'string' }, rounds: { type: 'string', default: '6' } },
  });
  const [load = 0] = loadavg();
  const measured = await withBrowser(async (context) => ({
    browser: await browserName(context),
    starts: await measureStarts(context, {
      rounds: Number(values.rounds),
      messages: 10_000,
      before: values.before,
    }),
  }));
  const result: StorageResult = {
    machine: machine(),
    date: new Date().toISOString().slice(0, 10),
    load,
    ...measured,
  };
  console.log(storageSection(result).join('\n\n'));
  const file = fileURLToPath(new URL('../../docs/benchmarks/storage.json', import.meta.url));
  mkdirSync(fileURLToPath(new URL('.', `file://${file}`)), { recursive: true });
  writeFileSync(file, await format(JSON.stringify(result), { parser: 'json' }));
  console.log('`npm run bench -- --report` adds it to docs/benchmarks.md.');
}
