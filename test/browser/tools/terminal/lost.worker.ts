import { RoleZero, serve } from 'rolezero/worker';
import { terminal } from 'rolezero/tools/terminal';
import { commands, scriptedModel } from 'rolezero/testing';

/** An agent whose terminal loads its worker file `works` times, then fails `failures` times. It posts each attempt to `channel`. */
serve<{ works: number; failures: number; channel: string }>(({ works, failures, channel }) => {
  let attempts = 0;
  const attempted = new BroadcastChannel(channel);
  const worker = (): Worker => {
    attempted.postMessage(++attempts);
    const fails = attempts > works && attempts <= works + failures;
    if (fails) return new Worker('/no-such-worker.js', { type: 'module' });
    return new Worker(new URL('../../../../src/tools/terminal/shell-worker.ts', import.meta.url), {
      type: 'module',
    });
  };
  const think = [commands(['Terminal.run_command', { cmd: 'echo hello' }]), commands(['end', {}])];
  return new RoleZero({ model: scriptedModel({ think }), tools: terminal({ worker }) });
});
