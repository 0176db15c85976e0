import { createElement as h, StrictMode, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, vi } from 'vitest';
import { connect, sessions, type Session } from 'rolezero';
import { useRun, useSession } from 'rolezero/react';
import type { OpenSession, SessionView } from '../../../src/react/shared-session.js';
import type { RunView } from '../../../src/react/followed-run.js';
import { commands } from 'rolezero/testing';
import type { ScriptedConfig } from '../client/scripted.worker.js';

export const say = (content: string) => commands(['RoleZero.reply_to_human', { content }], ['end', {}]);

export const workers: Worker[] = [];
const names = new Set<string>();
export let roots: Root[] = [];

/** Opens sessions in scripted workers and counts the openings. */
export function scripted(config: ScriptedConfig): { open: OpenSession; opened: () => number } {
  let opened = 0;
  const open = (session: string): Promise<Session> => {
    opened++;
    names.add(session);
    const makeWorker = (): Worker => {
      const url = new URL('../client/scripted.worker.ts', import.meta.url);
      const worker = new Worker(url, { type: 'module' });
      workers.push(worker);
      return worker;
    };
    return connect(makeWorker, { session, config });
  };
  return { open, opened: () => opened };
}

/** State at the last render of a component. */
export interface Seen {
  view: SessionView;
  run: RunView;
  renders: number;
  /** Every text and activity that was rendered. */
  texts: Set<string>;
  activities: Set<string | null>;
  errorsOfRunning: unknown[];
}
export const nothingSeen = (): Seen =>
  ({
    renders: 0,
    texts: new Set(),
    activities: new Set<string | null>(),
    errorsOfRunning: [] as unknown[],
  }) as Seen;

export function Agent({ name, open, seen }: { name: string; open: OpenSession; seen: Seen }): ReactNode {
  seen.view = useSession(name, open);
  seen.run = useRun(seen.view.session);
  seen.renders++;
  seen.texts.add(seen.run.text);
  seen.activities.add(seen.run.activity);
  if (seen.run.running && seen.run.error !== null) seen.errorsOfRunning.push(seen.run.error);
  return seen.run.text;
}

export function mount(tree: ReactNode): Root {
  const root = createRoot(document.createElement('div'));
  roots.push(root);
  root.render(h(StrictMode, null, tree));
  return root;
}

export const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 20_000 });
export const isOpen = (seen: Seen) => until(() => seen.view?.session != null);

/** After each test, unmounts its components and removes its sessions and workers. */
export function useReact(): void {
  afterEach(async () => {
    for (const root of roots) root.unmount();
    roots = [];
    for (const name of names) {
      // A component releases its session shortly after it unmounts.
      await vi.waitFor(() => sessions.remove(name), { timeout: 20_000 });
    }
    names.clear();
    for (const worker of workers.splice(0)) worker.terminate();
  });
}
