import { connect } from 'rolezero';
import { play } from './play.js';

play((baseURL) => {
  const worker = new Worker(new URL('./agent.worker.js', import.meta.url), { type: 'module' });
  return connect(worker, { session: 'own', config: { baseURL } });
});
