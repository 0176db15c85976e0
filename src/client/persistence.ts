let asked: Promise<boolean> | null = null;

/**
 * Asks the browser, once a page, not to throw this site's data away when space is short. Whether it promised; false where it cannot be
 * asked. Some browsers ask the person, others decide by themselves.
 */
export function askForPersistence(): Promise<boolean> {
  asked ??= ask();
  return asked;
}

async function ask(): Promise<boolean> {
  const storage = (navigator as { storage?: Partial<StorageManager> }).storage; // there is none in an insecure context
  try {
    return (await storage?.persisted?.()) === true || (await storage?.persist?.()) === true;
  } catch {
    return false; // forbidden by the page's policy, or no longer at home in a document
  }
}
