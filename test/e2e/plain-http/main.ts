import { connect, RoleZeroError, type AgentEvent, type Run, type Session } from 'rolezero';
import { keyVault } from 'rolezero/keys';
import { frame } from 'rolezero/tools/frame';

type Warning = Extract<AgentEvent, { type: 'warning' }>;

/** Calls that the test makes on the page. */
export interface PlainHttp {
  /** Browser features that need a secure context, and whether they exist here. */
  features(): Record<string, boolean>;
  open(baseURL: string, options?: { view?: boolean }): Promise<{ resumable: boolean; viewing: boolean }>;
  /** Starts a run and resolves after the first command. */
  begin(request: string): Promise<void>;
  /** Resumes the interrupted run to its end. */
  resume(): Promise<{ status: string; error: string | null; outputs: string[] }>;
  read(path: string): Promise<string>;
  /** Writes a file and returns `written` or the error code. */
  write(path: string, content: string): Promise<string>;
  /** Warnings so far. */
  warnings(): Pick<Warning, 'code' | 'message' | 'detail'>[];
  /** Stores a key and returns the error. */
  storeKey(): Promise<{ code: string; message: string } | null>;
}

let session: Session | null = null;
const seen: AgentEvent[] = [];

function current(): Session {
  if (session === null) throw new Error('There is no session.');
  return session;
}

function nextCommand(): Promise<void> {
  return new Promise((resolve) => {
    const off = current().on((event) => {
      if (event.type !== 'command-end') return;
      off();
      resolve();
    });
  });
}

window.plainHttp = {
  features: () => ({
    isSecureContext,
    randomUUID: 'randomUUID' in crypto,
    subtle: 'subtle' in crypto,
    locks: 'locks' in navigator,
    storage: 'storage' in navigator,
    serviceWorker: 'serviceWorker' in navigator,
  }),
  async open(baseURL, options = {}) {
    const element = document.createElement('div');
    document.body.append(element);
    const worker = () => new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
    session = await connect(worker, {
      session: 'plain-http',
      config: { baseURL },
      tools: [frame({ element })],
      ...options,
    });
    session.on((event) => seen.push(event));
    return { resumable: session.resumable, viewing: session.viewing };
  },
  async begin(request) {
    const first = nextCommand();
    const run: Run = current().send(request);
    await Promise.race([first, run.result()]);
  },
  async resume() {
    const { status, error } = await current().resume().result();
    const outputs = seen.flatMap((event) => (event.type === 'command-end' ? [event.output] : []));
    return { status, error: error?.message ?? null, outputs };
  },
  read: (path) => current().files.read(path),
  write: (path, content) =>
    current()
      .files.write(path, content)
      .then(
        () => 'written',
        (error: unknown) => (error instanceof RoleZeroError ? error.code : String(error)),
      ),
  warnings: () =>
    seen.flatMap((event) =>
      event.type === 'warning' ? [{ code: event.code, message: event.message, detail: event.detail }] : [],
    ),
  async storeKey() {
    try {
      await keyVault().put('openai', 'a-key');
      return null;
    } catch (error) {
      return error instanceof RoleZeroError
        ? { code: error.code, message: error.message }
        : { code: 'unnamed', message: String(error) };
    }
  },
};

declare global {
  interface Window {
    plainHttp: PlainHttp;
  }
}
