import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { bytesSection, type BytesResult } from '../../scripts/bench/bytes-report.js';
import { bytesOfLongJob, bytesPerStep, FILE, STEP_KINDS, STEPS } from './bytes-per-step.js';

/** Counts the bytes of each kind of step, prints them, and stores them for the page of all benchmarks. */
export async function main(): Promise<void> {
  const result: BytesResult = { file: FILE, steps: STEPS, kinds: {} };
  for (const [name, kind] of Object.entries(STEP_KINDS)) {
    const { tables: _, compressed: _compressed, ...bytes } = await bytesPerStep(kind, name);
    result.kinds[name] = bytes;
  }
  const long = await bytesOfLongJob([1_000, 2_000, 5_000]);
  result.long = long.map(({ steps, database, replica }) => ({ steps, database, replica }));
  console.log(bytesSection(result).join('\n\n'));
  const file = new URL('../../docs/benchmarks/bytes.json', import.meta.url);
  writeFileSync(file, await format(JSON.stringify(result), { parser: 'json' }));
  console.log('`npm run bench -- --report` adds it to docs/benchmarks.md.');
}
