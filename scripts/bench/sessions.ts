import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import { browserName, machine, withBrowser } from './browser.js';
import { sessionsSection, type SessionsResult } from './sessions-report.js';
import { measureShell } from './shell.js';
import { measureStarts } from './starts.js';
import { openVersion } from './versions.js';
import { measureWork } from './work.js';

/** Measures sessions in a browser, in turns with another checkout (`--before PATH`), and stores the figures for the page of all benchmarks. */
export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { before: { type: 'string' }, rounds: { type: 'string', default: '6' } },
  });
  const rounds = Number(values.rounds);
  const [load = 0] = loadavg();
  const measured = await withBrowser(async (context) => {
    const browser = await browserName(context);
    const now = await openVersion(context);
    const before = values.before === undefined ? null : await openVersion(context, values.before);
    const versions = { now, before };
    const work = await measureWork(versions, rounds);
    const shell = await measureShell(versions, rounds);
    const starts = await measureStarts(versions, { rounds, messages: 10_000 });
    await now.close();
    await before?.close();
    return { browser, starts, work, shell };
  });
  const result: SessionsResult = {
    machine: machine(),
    date: new Date().toISOString().slice(0, 10),
    load,
    ...measured,
  };
  console.log(sessionsSection(result).join('\n\n'));
  const file = fileURLToPath(new URL('../../docs/benchmarks/sessions.json', import.meta.url));
  mkdirSync(fileURLToPath(new URL('.', `file://${file}`)), { recursive: true });
  writeFileSync(file, await format(JSON.stringify(result), { parser: 'json' }));
  console.log('`npm run bench -- --report` adds it to docs/benchmarks.md.');
}
