import { connect, type AgentEvent } from 'rolezero';
import type { RoleConfig } from '../../browser/providers/web-llm/role.worker.js';

/** Calls that the test makes. */
export interface Stage {
  /** Characters of replies that have arrived so far. */
  heard: number;
  /** Runs the request in a role with web-llm's engine in its worker. Returns its result, its warnings and one file. */
  work(request: string, config: RoleConfig): Promise<{ status: string; warnings: string[]; file: string }>;
}

async function work(request: string, config: RoleConfig): ReturnType<Stage['work']> {
  const session = await connect(
    () =>
      new Worker(new URL('../../browser/providers/web-llm/role.worker.ts', import.meta.url), {
        type: 'module',
      }),
    { session: 'gpu', config },
  );
  const warnings: string[] = [];
  session.on((event: AgentEvent) => {
    if (event.type === 'warning') warnings.push(event.code);
    if (event.type === 'reply-delta') gpu.heard += event.text.length;
  });
  const { status } = await session.send(request).result();
  const content = await session.files.read('/a.txt');
  await session.close();
  return { status, warnings, file: content };
}

declare global {
  var gpu: Stage;
}
globalThis.gpu = { heard: 0, work };
