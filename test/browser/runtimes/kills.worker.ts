import { git } from 'rolezero/runtimes/git';
import { javascript } from 'rolezero/runtimes/javascript';
import { sqlite } from 'rolezero/runtimes/sqlite';
import { commands } from 'rolezero/testing';
import { terminal } from 'rolezero/tools/terminal';
import { RoleZero, serve, type ChatModel } from 'rolezero/worker';

/** An agent whose model runs the command lines one after the other; how far it is depends on the conversation alone. */
serve<{ lines: readonly string[] }>(({ lines }) => {
  const model: ChatModel = {
    id: 'by conversation',
    contextWindow: 100_000,
    async *chat({ messages, purpose }) {
      const cmd = lines[messages.filter(({ role }) => role === 'assistant').length];
      const reply = commands(cmd === undefined ? ['end', {}] : ['Terminal.run_command', { cmd }]);
      yield { type: 'text-delta', text: purpose === 'think' ? reply : `${purpose}.` };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  return new RoleZero({ model, tools: terminal({ runtimes: [javascript(), sqlite(), git()] }) });
});
