import { connect, type ConnectOptions, type Run, type Session } from 'rolezero';
import type { MixedClient, MixedRun, Opened } from '../../chaos/mixtures/world.js';

/** A page of its own: a frame. */
export interface TabFrame {
  open(options: ConnectOptions): Promise<Opened>;
}

/** Opens a client in this frame. */
export async function openTab(options: ConnectOptions): Promise<Opened> {
  let worker: Worker | null = null;
  let kills = 0;
  const makeWorker = (): Worker => {
    const made = new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
    made.addEventListener('message', () => (worker = made), { once: true }); // it has started
    return made;
  };
  const session = await connect(makeWorker, options);
  const isReplaced = (options.restarts ?? 0) > 0;
  return {
    client: clientOf(session),
    loss: isReplaced ? 'replaced' : 'reported',
    kill(how) {
      if (isReplaced && kills === options.restarts) return;
      kills += 1;
      if (isReplaced && how % 4 === 0) worker?.postMessage('hang');
      else worker?.terminate();
      worker = null;
    },
  };
}

/** A run whose request is stored when it starts. A client cannot tell when a request that joins a run is stored. */
function runOf(session: Session, make: () => Run): MixedRun {
  const before = session.running;
  let stop = (): void => {};
  const started = new Promise<boolean>((resolve) => {
    stop = session.on(({ type }) => {
      if (type === 'run-start') resolve(true);
    });
  });
  const run = make();
  const isNew = run !== before;
  const end = run.result();
  const ended = end.then(({ error }) => error === null);
  ended.catch(() => {}).finally(stop);
  return {
    accepted: () => (isNew ? Promise.race([started, ended]) : Promise.resolve(false)),
    result: () => end,
    [Symbol.asyncIterator]: () => run[Symbol.asyncIterator](),
  };
}

function clientOf(session: Session): MixedClient {
  let isFenced = false;
  session.on((event) => {
    if (event.type === 'warning' && event.code === 'session-fenced') isFenced = true;
  });
  return {
    name: session.name,
    get waiting() {
      return session.waiting;
    },
    get resumable() {
      return session.resumable;
    },
    get viewing() {
      return session.viewing;
    },
    get isFenced() {
      return isFenced;
    },
    get isRunning() {
      return session.running !== null;
    },
    get lastRun() {
      return session.lastRun;
    },
    files: session.files,
    memory: session.memory,
    notes: session.notes,
    send(text, { to, attach }) {
      const files =
        attach === undefined ? [] : [new File([attach.content], attach.path.split('/').at(-1) ?? '')];
      return runOf(session, () => session.send(text, { ...(to === undefined ? {} : { to }), files }));
    },
    resume: () => runOf(session, () => session.resume()),
    stop: async () => session.running?.stop(),
    answer: (id, text) => session.answer(id, text),
    messages: (role) => session.messages(role),
    plan: (role) => session.plan(role),
    steps: (role) => session.steps(role),
    inspect: () => session.inspect(),
    usage: () => session.usage(),
    export: () => session.export(),
    close: () => session.close(),
  };
}
