import { connect, type ConnectOptions, type Run, type Session } from 'rolezero';
import type { MixedClient, MixedRun, Opened } from '../../chaos/mixtures/world.js';

/** A page of its own: a frame. */
export interface TabFrame {
  open(options: ConnectOptions): Promise<Opened>;
}

/** Opens a client in this frame. */
export async function openTab(options: ConnectOptions): Promise<Opened> {
  const workers: Worker[] = [];
  const makeWorker = (): Worker => {
    const worker = new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
    workers.push(worker);
    return worker;
  };
  const session = await connect(makeWorker, options);
  const isReplaced = (options.restarts ?? 0) > 0;
  return {
    client: clientOf(session),
    loss: isReplaced ? 'replaced' : 'reported',
    kill(how) {
      const worker = workers.at(-1);
      if (isReplaced && how % 4 === 0) worker?.postMessage('hang');
      else worker?.terminate();
    },
  };
}

function runOf(run: Run, isNew: boolean): MixedRun {
  const end = run.result();
  end.catch(() => {});
  const started = async (): Promise<boolean> => {
    for await (const { type } of run) if (type === 'run-start') return true;
    return (await end).error === null;
  };
  return {
    accepted: () => (isNew ? started() : Promise.resolve(false)),
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
      const isNew = session.running === null;
      const files =
        attach === undefined ? [] : [new File([attach.content], attach.path.split('/').at(-1) ?? '')];
      return runOf(session.send(text, { ...(to === undefined ? {} : { to }), files }), isNew);
    },
    resume() {
      const isNew = session.running === null;
      return runOf(session.resume(), isNew);
    },
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
