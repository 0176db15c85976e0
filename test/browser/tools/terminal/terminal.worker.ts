import { RoleZero, serve } from 'rolezero/worker';
import { editor } from 'rolezero/tools';
import { terminal } from 'rolezero/tools/terminal';
import type { TerminalOptions } from '../../../../src/tools/terminal/terminal-options.js';
import { scriptedModel, type Script } from 'rolezero/testing';

/** An agent with editor and terminal that follows a script. */
serve<{ script: Script; options?: TerminalOptions }>(
  ({ script, options }) =>
    new RoleZero({ model: scriptedModel(script), tools: [...editor(), ...terminal(options)] }),
);
