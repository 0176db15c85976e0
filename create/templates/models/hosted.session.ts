import { connect } from 'rolezero';
import { keyVault } from 'rolezero/keys';

const makeWorker = () => new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
const vault = keyVault(); // encrypted in this browser; with a passphrase, a copy of its profile does not reveal the key

/** Asks for the key of the model, and stores it. Returns whether the user has entered one. */
async function askForKey(why: string): Promise<boolean> {
  const key = prompt(`${why} It is stored encrypted in this browser, and sent to the model only.`)?.trim();
  if (key) await vault.put('model', key);
  return Boolean(key);
}

/**
 * Opens a session: the same name opens the same one, also after a reload. Asks for the key of the model once, and again when the service
 * refuses it; the run then continues.
 */
export async function open(name: string) {
  if (!(await vault.get('model'))) await askForKey('Your API key.');
  const session = await connect<typeof import('./agent.worker')>(makeWorker, { session: name });
  session.on(async (event) => {
    if (event.type !== 'run-end' || event.error?.detail?.['status'] !== 401) return;
    if (await askForKey('The service refused your API key. Enter another one.')) session.resume();
  });
  return session;
}
