import type { terminal } from 'rolezero/tools/terminal';
import { runtimesWith } from '../../../demo/programs.js';

/** Options of a terminal with programs. A model on the same machine may leave them little time. @param address of the files of Python */
export const programs = (address: string): Parameters<typeof terminal>[0] => ({
  runtimes: runtimesWith(address),
  timeoutMs: 120_000,
});
