import { createElement as h, StrictMode, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { useRun, useSession } from 'rolezero/react';
import type { OpenSession, SessionView } from '../../../src/client/shared-session.js';
import type { RunView } from '../../../src/client/followed-run.js';
import { until, useComponents } from '../client/component-sessions.js';

export { say, scripted, until, workers } from '../client/component-sessions.js';

export let roots: Root[] = [];

/** State at the last render of a component. */
export interface Seen {
  view: SessionView;
  run: RunView;
  renders: number;
  /** A render saw the run in progress. */
  wasRunning: boolean;
  /** Every text and activity that was rendered. */
  texts: Set<string>;
  activities: Set<string | null>;
  errorsOfRunning: unknown[];
}
export const nothingSeen = (): Seen =>
  ({
    renders: 0,
    wasRunning: false,
    texts: new Set(),
    activities: new Set<string | null>(),
    errorsOfRunning: [] as unknown[],
  }) as Seen;

export function Agent({ name, open, seen }: { name: string; open: OpenSession; seen: Seen }): ReactNode {
  seen.view = useSession(name, open);
  seen.run = useRun(seen.view.session);
  seen.renders++;
  if (seen.run.running) seen.wasRunning = true;
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

export const isOpen = (seen: Seen) => until(() => seen.view?.session != null);

/** After each test, unmounts its components and removes its sessions and workers. */
export function useReact(): void {
  useComponents(() => {
    for (const root of roots) root.unmount();
    roots = [];
  });
}
