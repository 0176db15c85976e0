import { proxy, releaseProxy, wrap } from 'comlink';
import { connect, sessions, type ConnectOptions, type Session } from 'rolezero';
import type { Bare } from './bare.worker.js';

/** One way to open and close a session. Nothing of it should be left on the page afterwards. */
export type Way = keyof typeof WAYS;

export interface Heap {
  /** Opens and closes this number of sessions one after the other. */
  repeat(way: Way, times: number): Promise<void>;
}

let latest: Worker | null = null;
let count = 0;

function makeWorker(): Worker {
  latest = new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
  return latest;
}

function open(session: string, options: ConnectOptions = {}): Promise<Session> {
  return connect(makeWorker, { session, config: {}, askHuman: () => 'blue', persist: false, ...options });
}

async function work(session: Session): Promise<void> {
  session.on(() => {});
  const run = session.send('Write a note');
  for await (const event of run) if (event.type === 'run-end') break;
  const { status, error } = await run.result();
  if (status !== 'done') throw error ?? new Error(status);
  await session.files.read('/note.txt');
  await session.messages();
}

async function lost(session: Session): Promise<void> {
  await new Promise<void>((resolve) => {
    session.on((event) => {
      if (event.type === 'warning' && event.code === 'worker-lost') resolve();
    });
    latest?.terminate();
  });
}

function openIn(worker: Worker, session: string): Promise<Session> {
  return connect(worker, { session, config: {}, askHuman: () => 'blue', persist: false });
}

const stored = new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });

const WAYS = {
  /** Runs a request and closes the session. */
  async closed(name: string) {
    const session = await open(name);
    await work(session);
    await session.close();
  },
  /** The worker dies in the middle. */
  async killed(name: string) {
    const session = await open(name);
    session.send('Write a note');
    await lost(session);
    await session.close();
  },
  /** The worker dies, and another one continues. */
  async restarted(name: string) {
    const session = await open(name, { restarts: 3 });
    const back = new Promise<void>((resolve) => {
      session.on((event) => {
        if (event.type === 'warning' && event.code === 'worker-restarted') resolve();
      });
    });
    latest?.terminate();
    await back;
    while ((await session.usage().catch(() => null)) === null)
      await new Promise((next) => setTimeout(next, 5));
    await work(session);
    await session.close();
  },
  /** A second one takes it over. */
  async fenced(name: string) {
    const first = await open(name);
    const second = await open(name, { takeOver: true });
    await work(second);
    await second.close();
    await first.close();
  },
  /** A second one is read-only, then holds the session. */
  async viewed(name: string) {
    const first = await open(name);
    const second = await open(name, { view: true });
    const held = new Promise<void>((resolve) => {
      second.on((event) => {
        if (event.type === 'session-held') resolve();
      });
    });
    await work(first);
    await second.messages();
    await first.close();
    await held;
    await second.close();
  },
  /** In a worker that keeps running. */
  async stored(name: string) {
    const session = await openIn(stored, name);
    await work(session);
    await session.close();
  },
  /** In a worker that keeps running, until another one takes the session over. */
  async storedFenced(name: string) {
    const first = await openIn(stored, name);
    await work(first);
    const second = await open(name, { takeOver: true });
    await second.close();
    await first.close();
  },
  /** A worker and Comlink, without this library. */
  async bare(_name: string) {
    const worker = new Worker(new URL('./bare.worker.ts', import.meta.url), { type: 'module' });
    const { port1, port2 } = new MessageChannel();
    worker.postMessage(null, [port2]);
    const api = wrap<Bare>(port1);
    await api.call(proxy(() => {}));
    api[releaseProxy]();
    worker.terminate();
  },
  /** A worker alone. */
  async worker(_name: string) {
    const worker = new Worker(new URL('./bare.worker.ts', import.meta.url), { type: 'module' });
    const { port1, port2 } = new MessageChannel();
    worker.postMessage(null, [port2]);
    port1.postMessage(null);
    await new Promise((next) => setTimeout(next, 50));
    port1.close();
    worker.terminate();
  },
} satisfies Record<string, (name: string) => Promise<void>>;

window.heap = {
  async repeat(way, times) {
    for (let time = 0; time < times; time++) {
      const name = `heap ${count++}`;
      await WAYS[way](name);
      await sessions.remove(name);
    }
  },
};

declare global {
  interface Window {
    heap: Heap;
  }
  const heap: Heap;
}
