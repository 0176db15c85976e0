import { connect, type RoleZeroError, type Session } from 'rolezero';

const makeWorker = (): Worker =>
  new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });

/** State that the test reads. */
export interface Stage {
  /** The page was frozen and restored, not reloaded. */
  restored: boolean;
  /** The result of the run, once it has ended. */
  result: string | null;
  events: string[];
  /** Codes of warnings. */
  warnings: string[];
  /**
   * Opens the session with a worker, or with a function that creates one. With `view`, the page is read-only while
   * another holds the session.
   */
  open(baseURL: string, kind: 'worker' | 'function', view?: boolean): Promise<void>;
  /** Sends a request, or resumes the interrupted run. */
  start(request: string | null): void;
  viewing(): boolean;
  read(path: string): Promise<string>;
  /** Writes a file. Returns `done`, or the code of the error, and how long that took in milliseconds. */
  write(path: string): Promise<{ outcome: string; ms: number }>;
  close(): Promise<void>;
}

let session: Session | null = null;
const opened = (): Session => {
  if (session === null) throw new Error('open the session first');
  return session;
};

window.stage = {
  restored: false,
  result: null,
  events: [],
  warnings: [],
  async open(baseURL, kind, view = false) {
    session = await connect(kind === 'worker' ? makeWorker() : makeWorker, {
      session: 'away',
      config: { baseURL },
      askHuman: () => 'blue',
      view,
    });
    session.on((event) => {
      stage.events.push(event.type);
      if (event.type === 'warning') stage.warnings.push(event.code);
    });
  },
  start(request) {
    const run = request === null ? opened().resume() : opened().send(request);
    run.result().then(
      ({ status, error }) => (stage.result = error?.code ?? status),
      (error: unknown) => (stage.result = (error as RoleZeroError).code),
    );
  },
  viewing: () => opened().viewing,
  read: (path) => opened().files.read(path),
  async write(path) {
    const start = performance.now();
    const outcome = await opened()
      .files.write(path, 'x')
      .then(
        () => 'done',
        (error: unknown) => (error as RoleZeroError).code,
      );
    return { outcome, ms: performance.now() - start };
  },
  close: () => opened().close(),
};
addEventListener('pageshow', (event) => (stage.restored = event.persisted));

declare global {
  interface Window {
    stage: Stage;
  }
  const stage: Stage;
}
