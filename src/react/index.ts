/** Sessions as React components see them: two hooks, nothing to render. Importing is harmless on a server. */
export { useRun } from './use-run.js';
export { useSession } from './use-session.js';
export type { RunView, Thought } from './followed-run.js';
export type { OpenSession, SessionView } from './shared-session.js';
