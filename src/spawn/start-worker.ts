/** The ready-made worker as a file of its own. @throws SecurityError where this module comes from another origin, such as a CDN. */
export function workerFromFile(): Worker {
  // Vite, webpack, Parcel and Turbopack look for exactly this expression. It must occur once (a second one would be emitted unbundled)
  // and must have no static name (webpack puts workers of one name into one chunk).
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
}

/** The ready-made worker at an address the application knows. */
export function workerFromUrl(url: string | URL): Worker {
  const { href, origin, protocol } = new URL(url, location.href);
  const loadable = origin === location.origin || protocol === 'blob:' || protocol === 'data:';
  // A worker's script must be of the page's origin; what it imports need not be.
  return new Worker(loadable ? href : scriptUrl(`import ${JSON.stringify(href)};`), { type: 'module' });
}

/** Loads the ready-made worker as text; gives what starts it. Loaded when it is needed only: it is as large as the worker. */
export async function loadInlineWorker(): Promise<() => Worker> {
  const { source } = await import('./worker-inline.js');
  return () => new Worker(scriptUrl(source), { type: 'module' });
}

/** Returns a URL for the text of a script. It is never revoked, because more workers can be made from it at any time. */
function scriptUrl(source: string): string {
  return URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
}

let fromText: Promise<string> | undefined;

/** The address of the shell's worker, made from text (1.3 MB, loaded with the first call). One for all sessions of the page. */
export function shellAddress(): Promise<string> {
  fromText ??= import('../tools/terminal/shell-worker-inline.js').then(({ source }) => scriptUrl(source));
  return fromText;
}
