import { connect } from 'rolezero';
import { keyVault } from 'rolezero/keys';

const makeWorker = () => new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
const vault = keyVault(); // encrypted in this browser; with a passphrase, a copy of its profile does not reveal the key

/** Opens a session: the same name opens the same one, also after a reload. Asks for the key of the model once. */
export async function open(name: string) {
  if (!(await vault.get('model'))) {
    const key = prompt('Your API key. It is stored encrypted in this browser, and sent to the model only.');
    if (key) await vault.put('model', key);
  }
  return connect<typeof import('./agent.worker')>(makeWorker, { session: name });
}
