import { afterEach } from 'vitest';
import { connect, sessions, type AgentEvent, type Session } from 'rolezero';
import { commands } from 'rolezero/testing';
import type { TerminalOptions } from '../../../../src/tools/terminal/terminal-options.js';

export type Step = readonly [name: string, args: Record<string, string | number | boolean>];

export const run = (cmd: string): Step => ['Terminal.run_command', { cmd }];
export const write = (path: string, content: string): Step => ['Editor.write', { path, content }];

/**
 * A loop that keeps its worker busy. Each round is long enough that no machine reaches the limit of 100,000 commands
 * first.
 */
export const ENDLESS = 'while true; do sort /big > /dev/null; done';
export const BIG = Array.from({ length: 5_000 }, (_, line) => `${(line * 7_919) % 10_007}\n`).join('');

export const open = new Set<Session>();
export const names = new Set<string>();

/** Closes and removes the sessions of each test of the calling file. */
export function useSessions(): void {
  afterEach(async () => {
    for (const session of open) await session.close();
    open.clear();
    for (const name of names) await sessions.remove(name);
    names.clear();
  });
}

interface AgentOptions {
  name?: string;
  options?: TerminalOptions;
  /** Starts the worker of the agent. */
  start?: () => Worker;
}

const withoutRuntimes = (): Worker =>
  new Worker(new URL('./terminal.worker.ts', import.meta.url), { type: 'module' });

/** An agent that runs one command per reply and ends; its worker can be killed. */
export async function agent(
  steps: readonly Step[],
  { name = crypto.randomUUID(), options, start = withoutRuntimes }: AgentOptions = {},
): Promise<{ session: Session; worker: Worker; name: string }> {
  const worker = start();
  const think = [...steps.map((step) => commands(step)), commands(['end', {}])];
  const session = await connect(worker, {
    session: name,
    takeOver: true,
    config: { script: { think }, options },
  });
  open.add(session);
  names.add(name);
  return { session, worker, name };
}

export async function outputs(events: AsyncIterable<AgentEvent>): Promise<string[]> {
  const found: string[] = [];
  for await (const event of events)
    if (event.type === 'command-end' && event.name !== 'end')
      found.push(event.output.split('[command output] : ')[1] ?? event.output);
  return found;
}

/** Sends a request, and terminates the worker of the session when this command of it has begun. */
export async function killDuring(
  { session, worker }: Pick<Awaited<ReturnType<typeof agent>>, 'session' | 'worker'>,
  cmd: string,
): Promise<void> {
  const started = begun(session, cmd);
  const going = session.send('go');
  await started;
  worker.terminate();
  void going.result().catch(() => undefined);
  open.delete(session);
  void session.close().catch(() => undefined);
}

/** Resolves when a command with this text has started. */
export function begun(session: Session, cmd: string): Promise<void> {
  return new Promise((resolve) => {
    session.on((event) => {
      if (event.type === 'command-start' && event.args['cmd'] === cmd) resolve();
    });
  });
}
