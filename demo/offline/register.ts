/**
 * Makes the application work offline. `onUpdate` is called when a newer build is available, with a function that
 * reloads the page with it. Does nothing in development.
 */
export async function registerOffline(onUpdate: (bring: () => void) => void): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.register('./service-worker.js', { scope: './' });
  const offer = (worker: ServiceWorker | null): void => {
    if (worker === null || navigator.serviceWorker.controller === null) return; // The very first one.
    onUpdate(() => {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      worker.postMessage('take-over');
    });
  };
  offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed') offer(worker);
    });
  });
}

/**
 * Caches the engine for models on the processor after its first use: on a first visit, the agent's worker starts
 * before the service worker, so its requests bypass the cache. Does nothing in development.
 */
export async function keepEngine(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const [{ default: engine }, { active }] = await Promise.all([
    import('@wllama/wllama/esm/wasm/wllama.wasm?url'),
    navigator.serviceWorker.ready,
  ]);
  active?.postMessage(new URL(engine, location.href).href);
}
