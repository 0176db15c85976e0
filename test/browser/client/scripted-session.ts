import { afterEach } from 'vitest';
import * as z from 'zod';
import {
  connect,
  defineTool,
  pageTool,
  sessions,
  type AgentEvent,
  type ConnectOptions,
  type Session,
} from 'rolezero';
import { commands } from 'rolezero/testing';
import type { ScriptedConfig } from './scripted.worker.js';

/** Sessions to close after the test. */
export const open: Session[] = [];
let number = 0;

/** Returns a session name that no other test uses. */
export function newName(prefix: string): string {
  return `${prefix}-${++number}`;
}

export function worker(): Worker {
  return new Worker(new URL('./scripted.worker.ts', import.meta.url), { type: 'module' });
}

/** Creates workers and records them. */
export function workers(): { made: Worker[]; make: () => Worker } {
  const made: Worker[] = [];
  const make = (): Worker => {
    const one = worker();
    made.push(one);
    return one;
  };
  return { made, make };
}

export async function session(
  config: ScriptedConfig,
  options: Partial<ConnectOptions> = {},
): Promise<Session> {
  const opened = await connect(worker, { session: newName('connect'), ...options, config });
  open.push(opened);
  return opened;
}

/** Closes and removes the sessions of each test of the calling file. */
export function useSessions(): void {
  afterEach(async () => {
    const closed = open.splice(0);
    for (const each of closed) await each.close();
    for (const name of new Set(closed.map((each) => each.name))) await sessions.remove(name);
  });
}

export const write = (path: string, content: string) => commands(['Editor.write', { path, content }]);
export const finish = commands(['RoleZero.reply_to_human', { content: 'There it is.' }], ['end', {}]);

/** A tool of the page at which a run waits until the test lets it go on. */
export function gate() {
  let pass: () => void = () => {};
  let reach: () => void = () => {};
  const passed = new Promise<void>((resolve) => (pass = resolve));
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const tool = defineTool({
    name: 'Gate.wait',
    description: 'Wait at the gate.',
    input: z.object({}),
    trusted: true,
    run: async () => {
      reach();
      await passed;
      return 'passed';
    },
  });
  return { tools: [pageTool(tool)], call: commands(['Gate.wait', {}]), reached, pass };
}

export async function collect(run: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}
