import { connect } from 'rolezero';

const makeWorker = () => new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });

/** Opens a session: the same name opens the same one, also after a reload. */
export const open = (name: string) => connect<typeof import('./agent.worker')>(makeWorker, { session: name });
