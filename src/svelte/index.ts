/** Sessions as Svelte components see them: two stores, for Svelte 4 and 5. Importing is harmless on a server. */
export { useRun } from './use-run.js';
export { useSession } from './use-session.js';
