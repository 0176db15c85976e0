import { afterEach, vi } from 'vitest';
import { connect, sessions, type ConnectOptions, type Session } from 'rolezero';
import { commands } from 'rolezero/testing';
import type { ScriptedConfig } from './scripted.worker.js';

export const say = (content: string) => commands(['RoleZero.reply_to_human', { content }], ['end', {}]);
export const ask = commands(['RoleZero.ask_human', { question: 'Which color?' }]);
/** Enough to replace a worker that hangs, which Firefox's do in rare cases: see `docs/browsers.md`. */
const PATIENCE = 90_000;
export const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: PATIENCE });

export const workers: Worker[] = [];
const names = new Set<string>();

/** Opens sessions in scripted workers and counts the openings. */
export function scripted(
  config: ScriptedConfig,
  options: Partial<ConnectOptions> = {},
): {
  open: (session: string) => Promise<Session>;
  opened: () => number;
} {
  let opened = 0;
  const open = (session: string): Promise<Session> => {
    opened++;
    names.add(session);
    const makeWorker = (): Worker => {
      const worker = new Worker(new URL('./scripted.worker.ts', import.meta.url), { type: 'module' });
      workers.push(worker);
      return worker;
    };
    return connect(makeWorker, { ...options, session, config });
  };
  return { open, opened: () => opened };
}

/** After each test, calls `unmount` and removes the sessions and workers. A component releases its session shortly after it unmounts. */
export function useComponents(unmount: () => void): void {
  afterEach(async () => {
    unmount();
    for (const name of names) await vi.waitFor(() => sessions.remove(name), { timeout: 20_000 });
    names.clear();
    for (const worker of workers.splice(0)) worker.terminate();
  });
}
