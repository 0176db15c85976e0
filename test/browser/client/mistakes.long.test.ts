import * as z from 'zod';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connect, pageTool, RoleZeroError, sessions, type ConnectOptions, type Session } from 'rolezero';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { WorkerLink } from '../../../src/client/worker-link.js';

const open: Session[] = [];
let number = 0;

afterEach(async () => {
  vi.unstubAllGlobals();
  const closed = open.splice(0);
  for (const session of closed) await session.close();
  for (const name of new Set(closed.map((session) => session.name))) await sessions.remove(name);
});

const configured = () => new Worker(new URL('./config.worker.ts', import.meta.url), { type: 'module' });
const unchecked = () => new Worker(new URL('./unchecked.worker.ts', import.meta.url), { type: 'module' });

async function opened(make: () => Worker, options: ConnectOptions = {}): Promise<Session> {
  const session = await connect(make, { session: `mistake-${++number}`, ...options });
  open.push(session);
  return session;
}

/** The text that a user reads: `code: message`. As in JavaScript, nothing here is type-checked. */
async function errorOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    return error instanceof RoleZeroError ? `${error.code}: ${error.message}` : `unnamed: ${String(error)}`;
  }
  return 'none';
}
const refused = (make: () => unknown, options: object = {}) => errorOf(opened(make as () => Worker, options));

/** A worker created from source text, as if it were not bundled. */
function fromText(text: string): () => Worker {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  return () => new Worker(url, { type: 'module' });
}

const NOT_LOADED =
  "worker-start: Could not start the agent worker: its script did not load. Either its URL is wrong (404, or the server answered with an HTML page), a Content-Security-Policy blocked it, or an import in it could not be resolved: in a worker without a bundler, an import such as 'rolezero/worker' needs a full URL. Check the URL given to new Worker(), and the browser's network log.";

describe('a worker that does not start', () => {
  it('reports a URL that does not exist, or that a single-page application answers with HTML', async () => {
    expect(await refused(() => new Worker('/no-such-folder/agent.worker.js', { type: 'module' }))).toBe(
      NOT_LOADED,
    );
    const html = URL.createObjectURL(new Blob(['<!doctype html><title>App</title>'], { type: 'text/html' }));
    expect(await refused(() => new Worker(html, { type: 'module' }))).toBe(NOT_LOADED);
  });

  it('reports a bare package import without a bundler', async () => {
    expect(await refused(fromText("import { serve } from 'rolezero/worker'; serve();"))).toBe(NOT_LOADED);
  });

  it('reports an error at its top level', async () => {
    expect(await refused(fromText("throw new Error('my bug');"))).toMatch(
      /^worker-start: Could not start the agent worker: Uncaught Error: my bug \(blob:[^)]+\)\.$/,
    );
  });

  it('reports that it does not call serve()', async () => {
    const worker = fromText('export {};')();
    expect(await errorOf(WorkerLink.open(worker, false, () => {}, 500))).toBe(
      "worker-start: Could not start the agent worker: it did not answer within 0.5 seconds. Either it was terminated or it hangs, or its file does not call serve() at its top level, before any await. In Vite 7 or older, add 'rolezero' to optimizeDeps.exclude.",
    );
    worker.terminate();
  });

  it('reports that the argument is not a worker', async () => {
    const write =
      "Write () => new Worker(new URL('./agent.worker.js', import.meta.url), { type: 'module' }).";
    expect(await errorOf(connect('agent.worker.js' as never))).toBe(
      `invalid: connect() needs a worker, or a function that makes one, but was given "agent.worker.js". ${write}`,
    );
    expect(await refused(() => undefined)).toBe(
      `invalid: The function given to connect() must return a worker, but returned undefined. ${write}`,
    );
  });
});

describe('a function given to serve()', () => {
  it('reports a result other than roles', async () => {
    expect(await refused(unchecked, { config: { mistake: 'no-return' } })).toBe(
      'invalid: The function given to serve() must return a role, or a team { roles: [ … ] }, but returned undefined. Does it lack a `return`?',
    );
    expect(await refused(unchecked, { config: { mistake: 'no-roles' } })).toBe(
      'invalid: The function given to serve() must return a role, or a team { roles: [ … ] }, but returned an object with the keys leader.',
    );
  });

  it('reports a config that the page does not pass', async () => {
    expect(await refused(unchecked)).toBe(
      'invalid: The function given to serve() failed, and connect() was given no `config`. Give connect({ config }) what that function reads from it.',
    );
  });

  it('reports a schema that names the wrong keys of the config', async () => {
    expect(await refused(configured, { config: { greetings: 'hi' } })).toBe(
      'invalid: The `config` given to connect() does not fit the worker. Missing: greeting. Unexpected: greetings. The worker expects greeting (string), loud (boolean, optional).',
    );
    const session = await connect<typeof import('./config.worker.js')>(configured, {
      session: `mistake-${++number}`,
      config: { greeting: 'hi' },
    });
    open.push(session);
    expect(session.resumable).toBe(false);
  });

  it('reports a tool that the page defines, too', async () => {
    const tool = pageTool({
      name: 'Editor.write',
      description: 'Writes on the page.',
      input: z.object({}),
      run: () => '',
    });
    expect(await refused(unchecked, { config: { mistake: 'none' }, tools: [tool] })).toBe(
      'invalid: The page tool Editor.write has the name of a tool of role Zero. Rename one of them.',
    );
  });
});

describe('a call with wrong values', () => {
  it('names a misspelled option of connect() and an invalid model', async () => {
    expect(await refused(unchecked, { sesion: 'game' })).toMatch(
      /^invalid: connect\(\) has no option sesion\. /,
    );
    expect(await refused(unchecked, { models: { chrome: 'nano' } })).toMatch(
      /^invalid: `models\.chrome` must be a model, an object with a chat\(\) method, but is "nano"\./,
    );
  });

  it('names an extra argument and the alternative', async () => {
    const session = await opened(unchecked, { config: { mistake: 'none' } });
    const list = session.files.list as (...args: unknown[]) => Promise<unknown>;
    expect(await errorOf(list('/', { recursive: true }))).toBe(
      'invalid: files.list() takes 1 argument, but was given 2. It lists everything below the directory, so it needs no { recursive: true }.',
    );
    expect(await errorOf(session.send('hello', { too: 'Zero' } as never).result())).toBe(
      'invalid: send() was given invalid arguments. Argument 2: must not have the property "too".',
    );
    type Untyped = Record<'send' | 'messages' | 'usage', (...args: unknown[]) => unknown>;
    const untyped = session as unknown as Untyped;
    const run = untyped.send('hello', {}, ['/photo.png']) as ReturnType<Session['send']>;
    expect(await errorOf(run.result())).toBe('invalid: send() takes 2 arguments, but was given 3.');
    expect(await errorOf(untyped.messages('Zero', { last: 5 }) as Promise<unknown>)).toBe(
      'invalid: messages() takes 1 argument, but was given 2.',
    );
    expect(await errorOf(untyped.usage('Zero') as Promise<unknown>)).toBe(
      'invalid: usage() takes no arguments, but was given 1.',
    );
  });

  it('names a value that cannot be sent to a worker', async () => {
    expect(await refused(unchecked, { config: { mistake: () => 'none' } })).toMatch(
      /^invalid: Cannot send this value to the worker: .*could not be cloned\. It must be plain data that structuredClone\(\) accepts: no functions, no DOM elements, no class instances\.$/,
    );
  });
});

describe('a session in two tabs', () => {
  it('is busy in the second tab, and the error names both solutions', async () => {
    const first = await opened(unchecked, { config: { mistake: 'none' } });
    expect(await refused(unchecked, { session: first.name, config: { mistake: 'none' } })).toBe(
      `session-busy: Session '${first.name}' is open in another tab or worker. Close it there, open it read-only with { view: true }, or open it here with { takeOver: true }; the other one can then no longer write.`,
    );
  });

  it('loses the session to the tab that takes it over', async () => {
    const first = await opened(unchecked, { config: { mistake: 'none' } });
    const fenced = new Promise((resolve) => {
      first.on((event) => event.type === 'warning' && event.code === 'session-fenced' && resolve(event));
    });
    await opened(unchecked, { session: first.name, takeOver: true, config: { mistake: 'none' } });
    await fenced;
    expect(await errorOf(first.send('hello').result())).toBe(
      `session-fenced: Another tab or worker took over or removed session '${first.name}', so this one can no longer use it. Connect again to continue from what is stored: with { view: true } to watch, with { takeOver: true } to take it back.`,
    );
  });
});

describe('a browser without IndexedDB', () => {
  it('is reported without the words of a TypeError', async () => {
    vi.stubGlobal('indexedDB', undefined);
    expect(await errorOf(indexedDbStorage({ databaseName: 'none' }).open('game'))).toBe(
      'storage-unavailable: IndexedDB is not available here. It needs a page that is not sandboxed and a browser that allows site data.',
    );
  });

  it('appends the browser’s own message', async () => {
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('access is denied', 'SecurityError');
      },
    });
    expect(await errorOf(indexedDbStorage({ databaseName: 'none' }).open('game'))).toBe(
      'storage-unavailable: IndexedDB cannot be opened here: access is denied. It needs a page that is not sandboxed and a browser that allows site data.',
    );
  });
});
