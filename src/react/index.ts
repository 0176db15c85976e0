/** Sessions as React components see them: two hooks, nothing to render. Importing is harmless on a server. */
export { useRun } from './use-run.js';
export { useSession } from './use-session.js';
