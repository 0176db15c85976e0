import type { CDPSession } from 'playwright';

/** Sends a command of the DevTools protocol to a page or one of its workers. */
export interface Devtools {
  send(method: string, params?: object): Promise<unknown>;
  /** Subscribes to one kind of event. Returns a function that unsubscribes. */
  on(event: string, hear: (params: Record<string, unknown>) => void): () => void;
}

/** Receives messages of a worker as text. */
interface FromWorker {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
}

/**
 * The part of a heap snapshot that is read. Each node is `node_fields.length` numbers; the first is its type, the
 * second its name, one its size.
 */
interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
  strings: string[];
}

export function devtoolsOfPage(session: CDPSession): Devtools {
  return {
    send: (method, params) => session.send(method as 'HeapProfiler.enable', params),
    on(event, hear) {
      const listener = hear as () => void;
      session.on(event as 'HeapProfiler.resetProfiles', listener);
      return () => session.off(event as 'HeapProfiler.resetProfiles', listener);
    },
  };
}

/** Connects to the only worker of the page. */
export async function devtoolsOfWorker(session: CDPSession): Promise<Devtools> {
  const attached = new Promise<string>((resolve) =>
    session.once('Target.attachedToTarget', ({ sessionId }) => resolve(sessionId)),
  );
  // Not flat: Playwright cannot use the sessions of a flat one.
  const how = { autoAttach: true, waitForDebuggerOnStart: false, flatten: false };
  await session.send('Target.setAutoAttach', how);
  const sessionId = await attached;
  const listeners = new Set<(message: FromWorker) => void>();
  session.on('Target.receivedMessageFromTarget', ({ sessionId: from, message }) => {
    const read = JSON.parse(message) as FromWorker;
    if (from === sessionId) for (const listener of [...listeners]) listener(read);
  });
  let calls = 0;
  return {
    send(method, params = {}) {
      const id = (calls += 1);
      return new Promise((resolve, reject) => {
        const hear = (message: FromWorker): void => {
          if (message.id !== id) return;
          listeners.delete(hear);
          resolve(message.result);
        };
        listeners.add(hear);
        const message = JSON.stringify({ id, method, params });
        session.send('Target.sendMessageToTarget', { sessionId, message }).catch(reject);
      });
    },
    on(event, hear) {
      const listener = ({ method, params = {} }: FromWorker): void => {
        if (method === event) hear(params);
      };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Objects of one kind. */
export interface Held {
  count: number;
  /** Without the objects that they retain. */
  bytes: number;
}

/**
 * Counts live objects of each kind after a forced collection: `object:ClientSession`, `native:MessagePort`,
 * `closure:tell`…
 */
export async function alive(devtools: Devtools): Promise<Map<string, number>> {
  return new Map([...(await held(devtools))].map(([kind, { count }]) => [kind, count]));
}

/** The same, with their bytes. */
export async function held(devtools: Devtools): Promise<Map<string, Held>> {
  const pieces: string[] = [];
  const stop = devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => pieces.push(String(chunk)));
  await devtools.send('HeapProfiler.enable');
  await collectGarbage(devtools);
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  stop();
  const { snapshot, nodes, strings } = JSON.parse(pieces.join('')) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const size = fields.indexOf('self_size');
  const kinds = new Map<string, Held>();
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = types[0][nodes[at] ?? 0];
    const name = kind === 'string' ? '' : strings[nodes[at + 1] ?? 0];
    const key = `${kind}:${name}`;
    const { count, bytes } = kinds.get(key) ?? { count: 0, bytes: 0 };
    kinds.set(key, { count: count + 1, bytes: bytes + (nodes[at + size] ?? 0) });
  }
  return kinds;
}

/** Megabytes of JavaScript after a forced collection. */
export async function heapSize(devtools: Devtools): Promise<number> {
  await collectGarbage(devtools);
  const { usedSize } = (await devtools.send('Runtime.getHeapUsage')) as { usedSize: number };
  return Math.round(usedSize / 1e4) / 100;
}

async function collectGarbage(devtools: Devtools): Promise<void> {
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.collectGarbage'); // Memory that finalizers have released.
}
