/**
 * Returns the absolute form of an address of the application, such as `/vendor/pyodide/`, relative to the site of the session's worker.
 *
 * @throws TypeError if it is no address.
 */
export function absoluteAddress(address: string): string {
  // Node has no location, and that of a worker from text is no base.
  const { location } = globalThis as { location?: Location };
  const base = location?.href.startsWith('blob:') === true ? location.origin : location?.href;
  return new URL(address, base ?? 'http://localhost/').href;
}

/** Returns the absolute form of the address of a folder, with a final slash. */
export function absoluteFolder(address: string): string {
  return absoluteAddress(address.replace(/\/?$/u, '/'));
}

/** A server of one page answers with it where a file is missing. */
export function isPage({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/html') === true;
}
