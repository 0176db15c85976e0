import { RoleZero, serve } from 'rolezero/worker';
import { editor } from 'rolezero/tools';
import { terminal } from 'rolezero/tools/terminal';
import { javascript } from 'rolezero/runtimes/javascript';
import { scriptedModel, type Script } from 'rolezero/testing';
import type { TerminalOptions } from '../../../src/tools/terminal/terminal-options.js';

/** An agent whose terminal has all runtimes. */
serve<{ script: Script; options?: TerminalOptions }>(({ script, options }) => {
  const tools = [...editor(), ...terminal({ ...options, runtimes: [javascript()] })];
  return new RoleZero({ model: scriptedModel(script), tools, maxReactLoop: 100 });
});
