import { RoleZero, serve } from 'rolezero/worker';
import { terminal } from 'rolezero/tools/terminal';
import { commands, scriptedModel } from 'rolezero/testing';
import { threadFromFile } from '../../../../src/tools/terminal/start-thread.js';

/** An agent whose terminal cannot load its worker file the first times. */
serve<{ failures: number }>(({ failures }) => {
  let left = failures;
  const worker = (): Worker =>
    left-- > 0 ? new Worker('/no-such-worker.js', { type: 'module' }) : threadFromFile();
  const think = [commands(['Terminal.run_command', { cmd: 'echo hello' }]), commands(['end', {}])];
  return new RoleZero({ model: scriptedModel({ think }), tools: terminal({ worker }) });
});
