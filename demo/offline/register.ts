/**
 * Lets the application open without a network from now on. `onUpdate` receives when a newer build is at hand, with what brings it in: the
 * page is loaded again with it. Does nothing while somebody works on the sources.
 */
export async function registerOffline(onUpdate: (bring: () => void) => void): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.register('./service-worker.js', { scope: './' });
  const offer = (worker: ServiceWorker | null): void => {
    if (worker === null || navigator.serviceWorker.controller === null) return; // the first one of all
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
 * Keeps the engine of models on the processor, now that one is used: the agent's worker was there before the service worker on a first
 * visit, and what it asks for goes past it. Does nothing while somebody works on the sources.
 */
export async function keepEngine(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const [{ default: engine }, { active }] = await Promise.all([
    import('@wllama/wllama/esm/wasm/wllama.wasm?url'),
    navigator.serviceWorker.ready,
  ]);
  active?.postMessage(new URL(engine, location.href).href);
}
