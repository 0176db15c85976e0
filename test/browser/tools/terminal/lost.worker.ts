import { RoleZero, serve } from 'rolezero/worker';
import { terminal } from 'rolezero/tools/terminal';
import { commands, scriptedModel } from 'rolezero/testing';

/** An agent whose terminal has a wrong URL for its worker file. */
serve(() => {
  const worker = () => new Worker('/no-such-worker.js', { type: 'module' });
  const script = { think: commands(['Terminal.run_command', { cmd: 'ls' }]) };
  return new RoleZero({ model: scriptedModel(script), tools: terminal({ worker }) });
});
