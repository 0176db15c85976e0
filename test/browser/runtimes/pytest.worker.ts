import { RoleZero, serve } from 'rolezero/worker';
import { editor } from 'rolezero/tools';
import { terminal } from 'rolezero/tools/terminal';
import { python } from 'rolezero/runtimes/python';
import { scriptedModel, type Script } from 'rolezero/testing';
import type { TerminalOptions } from '../../../src/tools/terminal/terminal-options.js';

/** An agent whose application hosts pytest beside Python. */
serve<{ script: Script; options?: TerminalOptions }>(({ script, options }) => {
  const runtimes = [python({ address: '/python-packages/', packages: ['pytest'] })];
  const tools = [...editor(), ...terminal({ ...options, runtimes })];
  return new RoleZero({ model: scriptedModel(script), tools });
});
