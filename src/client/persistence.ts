import type { AgentEvent } from '../core/events.js';

let persistence: Promise<boolean> | null = null;

/**
 * Asks the browser, once per page, not to delete this site's data when disk space is low. Returns whether it promised; false where it
 * cannot be asked. Some browsers ask the user, others decide themselves.
 */
function askForPersistence(): Promise<boolean> {
  persistence ??= requestPersistence();
  return persistence;
}

/** Returns a function that asks the browser on its first call and emits the outcome; one that does nothing when `isWanted` is false. */
export function persistenceRequest(isWanted = true, emit: (event: AgentEvent) => void): () => void {
  let isDone = !isWanted;
  return () => {
    if (isDone) return;
    isDone = true;
    void askForPersistence().then((granted) => emit({ type: 'storage-persistence', granted }));
  };
}

async function requestPersistence(): Promise<boolean> {
  const storage = (navigator as { storage?: Partial<StorageManager> }).storage; // missing in an insecure context
  try {
    return (await storage?.persisted?.()) === true || (await storage?.persist?.()) === true;
  } catch {
    return false; // denied by the page's policy, or the document is detached
  }
}
