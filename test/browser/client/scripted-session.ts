import { afterEach } from 'vitest';
import { connect, sessions, type AgentEvent, type ConnectOptions, type Session } from 'rolezero';
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

export async function collect(run: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}
