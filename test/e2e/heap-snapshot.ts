import type { CDPSession } from 'playwright';

/** Speaks the DevTools protocol with a page, or with a worker of it. */
export interface Devtools {
  send(method: string, params?: object): Promise<unknown>;
  /** Receives of one kind of event; returns how to stop. */
  on(event: string, hear: (params: Record<string, unknown>) => void): () => void;
}

/** What comes from a worker, as text. */
interface FromWorker {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
}

/** What of a heap snapshot is read; each node is `node_fields.length` numbers, the first of them its kind, the second its name, one its size. */
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

/** Of the one worker that the page has. */
export async function devtoolsOfWorker(session: CDPSession): Promise<Devtools> {
  const attached = new Promise<string>((resolve) =>
    session.once('Target.attachedToTarget', ({ sessionId }) => resolve(sessionId)),
  );
  // Not flat: Playwright has no way to speak with the sessions of a flat one.
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

/** What there is of one kind of thing. */
export interface Held {
  count: number;
  /** Without what they hold in turn. */
  bytes: number;
}

/** How many of each kind of thing are alive after a forced collection: `object:ClientSession`, `native:MessagePort`, `closure:tell`… */
export async function alive(devtools: Devtools): Promise<Map<string, number>> {
  return new Map([...(await held(devtools))].map(([kind, { count }]) => [kind, count]));
}

/** The same, and how many bytes they take. */
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
  await devtools.send('HeapProfiler.collectGarbage'); // what finalizers have released
}
