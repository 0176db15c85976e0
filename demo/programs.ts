import { git } from 'rolezero/runtimes/git';
import { javascript } from 'rolezero/runtimes/javascript';
import { python } from 'rolezero/runtimes/python';
import { sqlite } from 'rolezero/runtimes/sqlite';
import type { terminal } from 'rolezero/tools/terminal';

/** The folder of Python's files, beside the scripts of the build; see `vite.config.ts`. */
const PYTHON_FILES = './pyodide/';

type TerminalOptions = NonNullable<Parameters<typeof terminal>[0]>;

/** All runtimes. @param address of the files of Python */
export function runtimesWith(address: string): NonNullable<TerminalOptions['runtimes']> {
  return [javascript(), python({ address }), sqlite(), git()];
}

/** The programs of the shell, for agents and the user. Each engine is loaded with its first program. */
export function programs(): TerminalOptions {
  const address = import.meta.env.PROD ? new URL(PYTHON_FILES, import.meta.url).href : '/-/pyodide/';
  return { runtimes: runtimesWith(address) };
}
