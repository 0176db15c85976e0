/** Sessions as Vue components see them: two composables, nothing to render. Importing is harmless on a server. */
export { useRun } from './use-run.js';
export { useSession } from './use-session.js';
