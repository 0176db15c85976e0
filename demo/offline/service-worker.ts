/**
 * Caches the application: after one visit it opens offline. It handles only files of its own build; other requests,
 * such as those to a model server, bypass it.
 */
export {};

/** The build inserts its version and the paths of its files. */
declare const VERSION: string;
declare const FILES: readonly string[];

/** The used part of a service worker's globals; TypeScript has them only in a library that excludes those of a page. */
interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Event {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Scope {
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown> & Extendable) => void): void;
}

const scope = globalThis as unknown as Scope;
const PREFIX = 'rolezero-demo-';
const CACHE = `${PREFIX}${VERSION}`;
const home = scope.registration.scope;
const known = new Set(FILES.map((path) => new URL(path, home).href));

scope.addEventListener('install', (event) => event.waitUntil(keepAll()));
scope.addEventListener('activate', (event) => event.waitUntil(takeOver()));
scope.addEventListener('message', (event) => {
  const { data } = event;
  // A new build waits until the user wants it: a page keeps the files it was opened with.
  if (data === 'take-over') void scope.skipWaiting();
  // Requests of a worker that started before this service worker, on the first visit, bypass it: the page lists them.
  else if (typeof data === 'string' && data.startsWith(`${home}assets/`))
    event.waitUntil(cachedOnceUsed(data, new Request(data)));
});
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const { origin, pathname } = new URL(request.url);
  const address = origin + pathname;
  const wanted = address === home ? `${home}index.html` : address;
  if (known.has(wanted)) event.respondWith(cached(wanted, request));
  else if (wanted.startsWith(`${home}assets/`)) event.respondWith(cachedOnceUsed(wanted, request));
});

async function keepAll(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Bypasses the browser's HTTP cache, which may contain files of an earlier build under the same name.
  await cache.addAll([...known].map((url) => new Request(url, { cache: 'reload' })));
}

async function takeOver(): Promise<void> {
  const names = await caches.keys();
  const earlier = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(earlier.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

async function cached(url: string, request: Request): Promise<Response> {
  return (await caches.match(url, { cacheName: CACHE })) ?? fetch(request);
}

/** Large files with a content hash in their name. */
async function cachedOnceUsed(url: string, request: Request): Promise<Response> {
  const found = await caches.match(url, { cacheName: CACHE });
  if (found !== undefined) return found;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(CACHE)).put(url, response.clone());
  return response;
}
