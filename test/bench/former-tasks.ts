import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundled } from '../../scripts/bench/peers.js';
import type * as tasks from './fifty-steps.js';

export type Tasks = Pick<typeof tasks, 'fiftySteps' | 'twentyCommands' | 'changedLine'>;

/** Returns the tasks of `fifty-steps.ts` for another checkout of this repository. */
export async function formerTasks(checkout: string): Promise<Tasks> {
  const code = await bundled(fileURLToPath(new URL('./fifty-steps.ts', import.meta.url)), checkout);
  const file = join(tmpdir(), `former-tasks-${process.pid}.mjs`);
  writeFileSync(file, code);
  try {
    // Not `import`: the program that runs this file has no loader any more.
    return createRequire(import.meta.url)(file) as Tasks;
  } finally {
    rmSync(file);
  }
}
