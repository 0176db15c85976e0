import { connect } from 'rolezero';
import { indexedDbStorage } from '../../../src/storage/index.js';
import type { Answer, Order, Written } from './writer.worker.js';

/** The result of all writes. */
export interface Found {
  commits: number;
  /** Number of successive owners of the session. */
  owners: number;
  /** Commits stored after one of a later owner. */
  stale: number;
  /** Acknowledged but missing commits. */
  lost: number;
  /** Why writers stopped, with counts. */
  refusals: Record<string, number>;
  /** Files of the replica. */
  files: number;
}

/** Calls that the test makes. */
export interface TakeOvers {
  /**
   * Workers take the session over in turn while the previous one continues writing. Returns the milliseconds until
   * each had written.
   */
  rob(session: string, workers: number, times: number): Promise<number[]>;
  /** Ends what `rob` started and inspects the stored data. */
  found(session: string): Promise<Found>;
  /** Opens the session as an application does; `left` returns when the page was left. */
  hold(session: string): Promise<void>;
  left(): number;
  /** Another worker requests the session while it is held; resolves when it is in the queue. */
  queue(session: string): Promise<void>;
  /** When the queued worker received the session. */
  had(): Promise<number>;
}

const crew: Worker[] = [];
let waiting: ReturnType<typeof opened> | null = null;

function hire(): Worker {
  return new Worker(new URL('./writer.worker.ts', import.meta.url), { type: 'module' });
}

function ask(worker: Worker, order: Order): Promise<Answer> {
  return new Promise((resolve, reject) => {
    worker.addEventListener('error', ({ message }) => reject(new Error(message)), { once: true });
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => resolve(data), { once: true });
    worker.postMessage(order);
  });
}

async function opened(worker: Worker, order: Order): Promise<{ ms: number; at: number }> {
  const answer = await ask(worker, order);
  if (answer.done !== 'opened') throw new Error(`not opened: ${JSON.stringify(answer)}`);
  return answer;
}

async function filesIn(folder: FileSystemDirectoryHandle): Promise<number> {
  let files = 0;
  for await (const handle of folder.values())
    files += handle.kind === 'directory' ? await filesIn(handle) : 1;
  return files;
}

window.takeOvers = {
  async rob(session, workers, times) {
    while (crew.length < workers) crew.push(hire());
    const took: number[] = [];
    let holder = 0;
    for (let time = 0; time < times; time++) {
      holder = (holder + 1 + (time % (workers - 1))) % workers; // any worker other than the owner
      const worker = crew[holder];
      if (worker === undefined) throw new Error('nobody there');
      took.push((await opened(worker, { do: 'take', session })).ms);
    }
    return took;
  },
  async found(session) {
    const store = await indexedDbStorage().open(session, { takeOver: true });
    const reports = await Promise.all(crew.map((worker) => ask(worker, { do: 'finish' })));
    for (const worker of crew.splice(0)) worker.terminate();
    const rows = await store.load('inbox');
    await store.close();
    const files = await filesIn(await navigator.storage.getDirectory());
    await indexedDbStorage().remove(session);
    const written = rows.map(({ value }) => value as Written).sort((one, other) => one.head - other.head);
    const keys = new Set(rows.map(({ key }) => key));
    const ends = reports.flatMap((report) => (report.done === 'finished' ? [report] : []));
    const refusals: Record<string, number> = {};
    for (const code of ends.flatMap((end) => end.refusals)) refusals[code] = (refusals[code] ?? 0) + 1;
    return {
      commits: rows.length,
      owners: new Set(written.map(({ epoch }) => epoch)).size,
      stale: written.filter(({ epoch }, index) => epoch < (written[index - 1]?.epoch ?? 0)).length,
      lost: ends.flatMap(({ acknowledged }) => acknowledged).filter((key) => !keys.has(key)).length,
      refusals,
      files,
    };
  },
  async hold(session) {
    const worker = () => new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
    await connect(worker, { session, config: {} });
    addEventListener('pagehide', () => localStorage.setItem('left', String(Date.now())), { capture: true });
  },
  left: () => Number(localStorage.getItem('left')),
  async queue(session) {
    const worker = hire();
    waiting = opened(worker, { do: 'wait', session }).finally(() => worker.terminate());
    for (;;) {
      const { pending = [] } = await navigator.locks.query();
      if (pending.some(({ name }) => name?.endsWith(`:${session}`))) return;
      await new Promise((next) => setTimeout(next, 10));
    }
  },
  had: async () => (await waiting)?.at ?? NaN,
};

declare global {
  interface Window {
    takeOvers: TakeOvers;
  }
}
