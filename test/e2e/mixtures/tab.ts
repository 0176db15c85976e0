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
  /** The next worker dies while it starts. */
  let isNextDying = false;
  const makeWorker = (): Worker => {
    const made = new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
    made.addEventListener('message', () => (worker = made), { once: true }); // it has started
    if (isNextDying) made.terminate();
    isNextDying = false;
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
      if (isReplaced && how % 7 === 3 && kills < (options.restarts ?? 0)) {
        kills += 1;
        isNextDying = true;
      }
      if (isReplaced && how % 4 === 0) worker?.postMessage('hang');
      else worker?.terminate();
      worker = null;
    },
  };
}

function runOf(run: Run): MixedRun {
  const end = run.result();
  return {
    accepted: () => run.accepted.then(() => true),
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
      return runOf(session.send(text, { ...(to === undefined ? {} : { to }), files }));
    },
    resume: () => runOf(session.resume()),
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
