import { sessions } from 'rolezero';
import { removeStored, storedModels } from './stored-models.js';

/** What this site has stored in the browser. */
export interface StoredData {
  sessions: number;
  /** Bytes of downloaded models. */
  models: number;
  /** Bytes of everything, and the limit; null where the browser does not say. */
  used: { bytes: number; quota: number } | null;
  /** The browser has promised to keep it when space is low; null where it does not say. */
  isPersisted: boolean | null;
}

export async function readStoredData(): Promise<StoredData> {
  const { storage } = navigator as { storage?: Partial<StorageManager> }; // missing in an insecure context
  const [all, models, estimate, isPersisted] = await Promise.all([
    sessions.list(),
    storedModels(),
    storage?.estimate?.() ?? null,
    storage?.persisted?.() ?? null,
  ]);
  const { usage, quota } = estimate ?? {};
  return {
    sessions: all.length,
    models: models.reduce((sum, { bytes }) => sum + bytes, 0),
    used: usage === undefined || quota === undefined ? null : { bytes: usage, quota },
    isPersisted,
  };
}

/**
 * Deletes everything that this site has stored: sessions, downloaded models, settings, keys, and the application itself. Call it when no
 * session is open here. @throws RoleZeroError when another tab has a session.
 */
export async function deleteStoredData(): Promise<void> {
  for (const { name } of await sessions.list()) await sessions.remove(name);
  for (const model of await storedModels()) await removeStored(model);
  for (const { name } of await indexedDB.databases()) if (name !== undefined) await removeDatabase(name);
  for (const name of await caches.keys()) await caches.delete(name);
  const registrations = await navigator.serviceWorker.getRegistrations();
  await Promise.all(registrations.map((registration) => registration.unregister()));
  localStorage.clear();
  sessionStorage.clear();
}

/** One that this page still uses is deleted when the page is left. */
function removeDatabase(name: string): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });
}
