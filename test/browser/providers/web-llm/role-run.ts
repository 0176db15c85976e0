import { connect, sessions, type AgentEvent } from 'rolezero';
import { inject, onTestFinished } from 'vitest';
import { saying } from '../../../tiny-model/model-files.js';
import type { RoleConfig } from './role.worker.js';

/** Runs a role with the real engine in its worker. Returns its events and the file it wrote. */
export async function runRole(
  session: string,
  losesGpu: boolean,
): Promise<{ events: AgentEvent[]; file: unknown }> {
  const worker = () => new Worker(new URL('./role.worker.ts', import.meta.url), { type: 'module' });
  const config: RoleConfig = { modelServer: inject('modelServer'), losesGpu };
  const agent = await connect(worker, { session, config });
  onTestFinished(async () => {
    await agent.close();
    await sessions.remove(session);
  });
  const reply = JSON.stringify({
    thought: 'Done.',
    category: 'TASK',
    commands: [
      { command_name: 'Editor.write', args: { path: '/a.txt', content: 'from the GPU' } },
      { command_name: 'end', args: {} },
    ],
  });
  const events: AgentEvent[] = [];
  for await (const event of agent.send(`Write a file. ${saying(reply)}`)) events.push(event);
  return { events, file: await agent.files.read('/a.txt') };
}
