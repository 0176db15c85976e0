import { git } from 'rolezero/runtimes/git';
import { javascript } from 'rolezero/runtimes/javascript';
import { python } from 'rolezero/runtimes/python';
import { sqlite } from 'rolezero/runtimes/sqlite';
import type { terminal } from 'rolezero/tools/terminal';

/** Options of a terminal with programs. A model on the same machine may leave them little time. @param address of the files of Python */
export const programs = (address: string): Parameters<typeof terminal>[0] => ({
  runtimes: [javascript(), python({ address }), sqlite(), git()],
  timeoutMs: 120_000,
});
