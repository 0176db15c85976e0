import { connect, sessions, type RoleZeroError, type Session } from 'rolezero';

/** State and calls for the soak test. */
export interface Soak {
  /** Runs that ended as expected. */
  done: number;
  /** Runs that ended otherwise, and uncaught errors. */
  faults: string[];
  /** Why runs were interrupted, with counts. */
  interruptions: Record<string, number>;
  /** The current session. */
  session: string;
  /** Works until `stop`: completes one session after the other despite interruptions, verifies it and removes it. */
  work(order: Order): void;
  stop(): void;
  /** False once the last session is complete. */
  working: boolean;
  /** Completes the current turn and starts none until `goOn`, so that no session is open. */
  rest(): Promise<void>;
  goOn(): void;
  /** Terminates the worker, or makes it hang. */
  hurt(how: 'crash' | 'hang'): void;
  /** Takes the session over, writes, and closes it. */
  rob(order: Order, session: string): Promise<void>;
}

export interface Order {
  /** Prefix of this page's session names. */
  page: string;
  /** All its sessions share one worker, one after the other, instead of one each. */
  sharesWorker: boolean;
  baseURL: string;
  request: string;
  /** Expected files at the end. */
  files: Record<string, string>;
}

/** Visits after which a turn counts as never completing. */
const MOST_VISITS = 60;

let latest: Worker | null = null;
let goesOn = true;
/** Pending only during a rest. */
let leave = Promise.resolve();
let goOn = (): void => {};
let atRest = (): void => {};

function makeWorker(): Worker {
  latest = new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
  return latest;
}

function open(session: string, { baseURL, sharesWorker }: Order): Promise<Session> {
  const options = {
    session,
    config: { baseURL },
    askHuman: () => 'blue',
    takeOver: true,
  };
  return sharesWorker
    ? connect(latest ?? makeWorker(), options)
    : connect(makeWorker, { ...options, hungAfterMs: 6_000, restarts: Infinity });
}

function interrupted(why: string): void {
  soak.interruptions[why] = (soak.interruptions[why] ?? 0) + 1;
}

/** One visit: the run continues until it ends. */
async function visit(name: string, order: Order): Promise<boolean> {
  const { request, files } = order;
  let session: Session | null = null;
  try {
    session = await open(name, order);
    const last = session.lastRun;
    const run =
      last?.status === 'done' && !session.resumable
        ? null
        : session.resumable
          ? session.resume()
          : session.send(request);
    const { status, error } = run === null ? { status: 'done', error: null } : await run.result();
    if (status !== 'done') {
      interrupted(error?.code ?? status);
      return false;
    }
    for (const [path, content] of Object.entries(files)) {
      const found = await session.files.read(path);
      if (found !== content) soak.faults.push(`${name}: ${path} is ${JSON.stringify(found)}`);
    }
    return true;
  } catch (error) {
    interrupted((error as RoleZeroError).code ?? String(error));
    return false;
  } finally {
    await session?.close().catch((error: unknown) => interrupted((error as RoleZeroError).code));
  }
}

async function piece(name: string, order: Order): Promise<void> {
  for (let visits = 0; visits < MOST_VISITS; visits++) {
    if (!(await visit(name, order))) continue;
    await sessions.remove(name).catch((error: unknown) => interrupted((error as RoleZeroError).code));
    soak.done += 1;
    return;
  }
  soak.faults.push(`${name} did not come to its end in ${MOST_VISITS} visits`);
}

window.soak = {
  done: 0,
  faults: [],
  interruptions: {},
  session: '',
  working: false,
  work(order) {
    soak.working = true;
    void (async () => {
      for (let number = 1; goesOn; number++) {
        soak.session = `${order.page} ${number}`;
        await piece(soak.session, order);
        atRest();
        await leave;
      }
      soak.working = false;
    })();
  },
  stop() {
    goesOn = false;
  },
  rest() {
    leave = new Promise((resolve) => (goOn = resolve));
    return new Promise((resolve) => (atRest = resolve));
  },
  goOn: () => goOn(),
  hurt(how) {
    if (how === 'crash') latest?.terminate();
    else latest?.postMessage('hang');
  },
  async rob(order, name) {
    const thief = await open(name, order);
    await thief.files.write('/thief.txt', 'was here');
    await thief.close();
  },
};
addEventListener('unhandledrejection', ({ reason }) => soak.faults.push(`uncaught: ${String(reason)}`));

declare global {
  interface Window {
    soak: Soak;
  }
  const soak: Soak;
}
