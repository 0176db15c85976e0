const urls = new Map<string, string>();

/** Starts a worker from its text. */
export function workerFromText(source: string): Worker {
  const url = urls.get(source) ?? URL.createObjectURL(new Blob([source], { type: 'text/javascript' })); // shared by all workers, so it is not revoked
  urls.set(source, url);
  return new Worker(url, { type: 'module' });
}
