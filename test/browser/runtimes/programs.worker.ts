import { RoleZero, serve } from 'rolezero/worker';
import { editor } from 'rolezero/tools';
import { terminal } from 'rolezero/tools/terminal';
import { git } from 'rolezero/runtimes/git';
import { javascript } from 'rolezero/runtimes/javascript';
import { python } from 'rolezero/runtimes/python';
import { sqlite } from 'rolezero/runtimes/sqlite';
import { typescript } from 'rolezero/runtimes/typescript';
import { scriptedModel, type Script } from 'rolezero/testing';
import type { TerminalOptions } from '../../../src/tools/terminal/terminal-options.js';

/** An agent whose terminal has all runtimes. */
serve<{ script: Script; options?: TerminalOptions }>(({ script, options }) => {
  const runtimes = [
    javascript(),
    python({ address: '/node_modules/pyodide/' }),
    sqlite(),
    git(),
    typescript({ address: '/typescript-files/' }),
  ];
  const tools = [...editor(), ...terminal({ ...options, runtimes })];
  return new RoleZero({ model: scriptedModel(script), tools, maxSteps: 100 });
});
