import * as z from 'zod';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connect, pageTool, RoleZeroError, sessions, type ConnectOptions, type Session } from 'rolezero';
import { keyVault } from 'rolezero/keys';
import { commands } from 'rolezero/testing';
import { fingerprint } from '../../../src/core/fingerprint.js';

const open: Session[] = [];
let number = 0;

function worker(): Worker {
  return new Worker(new URL('./scripted.worker.ts', import.meta.url), { type: 'module' });
}

async function session(options: Partial<ConnectOptions> = {}, made: () => Worker = worker): Promise<Session> {
  const opened = await connect(made, {
    session: `refused-${++number}`,
    config: {},
    persist: false,
    ...options,
  });
  open.push(opened);
  return opened;
}

afterEach(async () => {
  vi.restoreAllMocks();
  for (const each of open.splice(0)) await each.close();
});

type Call = [name: string, call: (of: Session) => Promise<unknown>];

/** Every call that a page can make on an open session. */
const CALLS: Call[] = [
  ['files.read', ({ files }) => files.read('/a.txt')],
  ['files.readBytes', ({ files }) => files.readBytes('/a.txt')],
  ['files.readAll', ({ files }) => files.readAll()],
  ['files.list', ({ files }) => files.list('/')],
  ['files.stat', ({ files }) => files.stat('/a.txt')],
  ['files.glob', ({ files }) => files.glob('/*')],
  ['files.write', ({ files }) => files.write('/b.txt', 'b')],
  ['files.writeAll', ({ files }) => files.writeAll([{ path: '/c.txt', content: 'c' }])],
  ['files.makeDirectory', ({ files }) => files.makeDirectory('/d')],
  ['files.copy', ({ files }) => files.copy('/a.txt', '/e.txt')],
  ['files.move', ({ files }) => files.move('/a.txt', '/f.txt')],
  ['files.remove', ({ files }) => files.remove('/a.txt')],
  ['files.history', ({ files }) => files.history()],
  ['files.after', ({ files }) => files.after('1')],
  ['files.difference', ({ files }) => files.difference('1', '/a.txt')],
  ['files.bytesAfter', ({ files }) => files.bytesAfter('1', '/a.txt')],
  ['files.undo', ({ files }) => files.undo('1')],
  ['files.forgetHistory', ({ files }) => files.forgetHistory(0)],
  ['memory.search', ({ memory }) => memory.search('a')],
  ['memory.list', ({ memory }) => memory.list()],
  ['memory.forget', ({ memory }) => memory.forget('id')],
  ['memory.change', ({ memory }) => memory.change('id', { pinned: true })],
  ['memory.import', ({ memory }) => memory.import({})],
  ['memory.export', ({ memory }) => memory.export()],
  ['memory.archive', ({ memory }) => memory.archive({ before: 1 } as never, () => true)],
  ['messages', (of) => of.messages()],
  ['plan', (of) => of.plan()],
  ['inspect', (of) => of.inspect()],
  ['steps', (of) => of.steps()],
  ['audit', (of) => of.audit()],
  ['usage', (of) => of.usage()],
  ['space', (of) => of.space()],
  ['export', (of) => of.export()],
  ['answer', (of) => of.answer('id', 'yes')],
  ['send', (of) => of.send('hello').result()],
  ['resume', (of) => of.resume().result()],
];

/** The result of each call: its error code, or `done`; an error without a code as it is. */
async function outcomes(of: Session, calls = CALLS): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, call] of calls) {
    found[name] = await call(of).then(
      () => 'done',
      (error: unknown) => (error instanceof RoleZeroError ? error.code : `unnamed: ${String(error)}`),
    );
  }
  return found;
}

const unnamed = (found: Record<string, string>): string[] =>
  Object.entries(found).flatMap(([name, code]) =>
    /^(unnamed|internal)/u.test(code) ? [`${name}: ${code}`] : [],
  );

describe('rejects every call of a session with a named error', () => {
  it('while another tab holds the session and this page is read-only', async () => {
    const first = await session();
    await first.files.write('/a.txt', 'a');
    const found = await outcomes(await session({ session: first.name, view: true }));
    expect(unnamed(found)).toEqual([]);
    expect(found).toMatchObject({
      'files.read': 'done',
      'files.write': 'session-busy',
      send: 'session-busy',
    });
  });

  it('after another tab took the session over', async () => {
    const first = await session();
    await first.files.write('/a.txt', 'a');
    await session({ session: first.name, takeOver: true });
    const found = await outcomes(first);
    expect(unnamed(found)).toEqual([]);
    expect(found['files.write']).not.toBe('done');
  });

  it('once it is closed', async () => {
    const closed = await session();
    await closed.close();
    const found = await outcomes(closed);
    expect(new Set(Object.values(found))).toEqual(new Set(['worker-lost']));
  });

  it('while it is being closed during a run, which a request does not join', async () => {
    const closing = await session({ config: { silent: true } });
    const run = closing.send('wait');
    for await (const { type } of run) if (type === 'run-start') break;
    const closed = closing.close();
    const late = closing.send('too late');
    expect(late).not.toBe(run);
    await expect(late.result()).rejects.toMatchObject({ code: 'worker-lost' });
    await closed;
    const again = await session({ session: closing.name });
    expect((await again.messages()).map(({ content }) => content)).toEqual(['wait']);
  });

  it('while a run is in progress, which a refused request does not join', async () => {
    const busy = await session({ config: { silent: true } });
    const run = busy.send('wait');
    await run.accepted;
    const large = new File(['x'.repeat(9_000_000)], 'large.txt', { type: 'text/plain' });
    const refused = [
      busy.send('x'.repeat(1_000_001)),
      busy.send('for an unknown role', { to: 'Unknown' }),
      busy.send(''),
      busy.send('a missing file', { files: ['/missing.txt'] }),
      busy.send('a large file', { files: [large] }),
    ];
    const codeOf = (promise: Promise<unknown>) =>
      promise.then(
        () => 'done',
        (error: unknown) => (error as RoleZeroError).code,
      );
    const codes = await Promise.all(
      refused.map(async (each) => [await codeOf(each.accepted), await codeOf(each.result())]),
    );
    expect(codes).toEqual(
      ['invalid', 'not-found', 'invalid', 'not-found', 'invalid'].map((code) => [code, code]),
    );
    expect([run.ended, busy.running]).toEqual([false, run]);
    const joined = busy.send('and this');
    await joined.accepted;
    run.stop();
    expect([(await run.result()).status, (await joined.result()).status]).toEqual(['stopped', 'stopped']);
    expect((await busy.inspect()).messages.map(({ message }) => message.content)).toEqual([
      'wait',
      'and this',
    ]);
  });

  it('never when it was sent before the session was closed: it is stored', async () => {
    const closing = await session({ config: { silent: true } });
    const runs = ['one', 'two', 'three'].map((text) => closing.send(text));
    await closing.close();
    await Promise.all(runs.map(({ accepted }) => accepted));
    const again = await session({ session: closing.name });
    expect((await again.inspect()).messages.map(({ message }) => message.content)).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  it('when its worker dies', async () => {
    let made: Worker | null = null;
    const dying = await session({}, () => (made = worker()));
    const pending = CALLS.map((call) => outcomes(dying, [call]));
    (made as Worker | null)?.terminate();
    expect(unnamed(Object.assign({}, ...(await Promise.all(pending))) as Record<string, string>)).toEqual([]);
    expect(new Set(Object.values(await outcomes(dying)))).toEqual(new Set(['worker-lost']));
  });

  it('when an argument cannot be sent to the worker', async () => {
    const opened = await session();
    const lambda = (() => {}) as never;
    const found = await outcomes(opened, [
      ['files.write', ({ files }) => files.write('/a.txt', lambda)],
      ['memory.search', ({ memory }) => memory.search(lambda)],
      ['memory.import', ({ memory }) => memory.import({ lambda })],
      ['messages', (of) => of.messages(lambda)],
      ['answer', (of) => of.answer('id', document.body as never)],
      ['send', (of) => of.send(lambda).result()],
      ['connect', () => session({ config: { lambda } })],
    ]);
    expect(new Set(Object.values(found))).toEqual(new Set(['invalid']));
  });
});

describe('rejects calls of sessions and keys with a named error', () => {
  /** Calls each of them for an existing session and returns the results. */
  async function all(name: string): Promise<Record<string, string>> {
    return outcomes(null as never, [
      ['list', () => sessions.list()],
      ['export', () => sessions.export(name)],
      ['export of an unknown session', () => sessions.export('there is none')],
      ['import', () => sessions.import({ format: 'strange' })],
      ['remove', () => sessions.remove(name)],
      ['remove without a name', () => sessions.remove('')],
      ['keys.put', () => keyVault({ database: `keys ${name}` }).put('a', 'secret')],
      ['keys.get', () => keyVault({ database: `keys ${name}` }).get('a')],
      ['keys.list', () => keyVault({ database: `keys ${name}` }).list()],
      ['keys.remove', () => keyVault({ database: `keys ${name}` }).remove('a')],
    ]);
  }

  async function stored(): Promise<string> {
    const made = await session();
    await made.files.write('/a.txt', 'a');
    await made.close();
    return made.name;
  }

  it('while the session is open', async () => {
    const { name, files } = await session();
    await files.write('/a.txt', 'a');
    expect(await all(name)).toMatchObject({
      list: 'done',
      export: 'done',
      'export of an unknown session': 'not-found',
      import: 'invalid',
      remove: 'session-busy',
    });
    expect((await sessions.list()).map((each) => each.name)).toContain(name);
  });

  it('removes a session only after a writer that lost ownership has released its replica', async () => {
    const name = await stored();
    const holding = `
      const root = await navigator.storage.getDirectory();
      const folder = await (await (await root.getDirectoryHandle('rolezero')).getDirectoryHandle('${fingerprint('rolezero')}')).getDirectoryHandle('${fingerprint(name)}');
      for await (const handle of folder.values()) await handle.createSyncAccessHandle();
      postMessage('holds');`;
    const url = URL.createObjectURL(new Blob([holding], { type: 'text/javascript' }));
    const holder = new Worker(url, { type: 'module' });
    await new Promise((resolve) => holder.addEventListener('message', resolve, { once: true }));
    const refused = await sessions.remove(name).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RoleZeroError);
    expect(refused).toMatchObject({ code: 'session-busy', detail: { name } });
    expect((await sessions.list()).map((each) => each.name)).toContain(name); // all or nothing
    const removing = sessions.remove(name);
    holder.terminate();
    await removing;
    expect((await sessions.list()).map((each) => each.name)).not.toContain(name);
  });

  it('removes the database records where the browser denies access to files', async () => {
    const name = await stored();
    vi.spyOn(StorageManager.prototype, 'getDirectory').mockRejectedValue(
      new DOMException('It is not allowed.', 'SecurityError'),
    );
    expect(await all(name)).toMatchObject({ list: 'done', import: 'invalid', remove: 'done' });
  });

  it.each([
    ['SecurityError', 'The user denied permission to access the database.'],
    ['UnknownError', 'Internal error opening backing store for indexedDB.open.'],
    ['QuotaExceededError', ''],
  ])('where the database can no longer be opened: %s', async (kind, words) => {
    const name = await stored();
    const fails = (): never => {
      throw new DOMException(words, kind);
    };
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(fails);
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
      throw new DOMException('The database connection is closing.', 'InvalidStateError');
    });
    const found = await all(name);
    expect(unnamed(found)).toEqual([]);
    expect(found['list']).toMatch(/^storage-/u);
    expect(found['export']).toMatch(/^storage-/u);
    expect(found['remove']).toMatch(/^storage-/u);
    expect(found['keys.get']).toMatch(/^storage-/u);
  });

  it('where the file API fails', async () => {
    const name = await stored();
    vi.spyOn(FileSystemDirectoryHandle.prototype, 'removeEntry').mockRejectedValue(
      new DOMException('The disk is gone.', 'UnknownError'),
    );
    expect((await all(name))['remove']).toBe('storage-failed');
  });
});

describe('rejects or reports rules without effect', () => {
  const rule = (more: object) => ({ config: { policy: [{ tool: 'Editor.wirte', do: 'deny', ...more }] } });

  it('rejects a rule that fits no path, and an address that is no argument', async () => {
    await expect(session(rule({ path: 'secrets/**' }))).rejects.toThrow(
      'cannot work: path "secrets/**" fits no path: those are absolute and without detours; write "/secrets/**".',
    );
    const open = pageTool({
      name: 'Web.open',
      description: 'Opens a page.',
      input: z.object({ url: z.string() }),
      address: 'link',
      run: () => '',
    });
    await expect(session({ tools: [open] })).rejects.toThrow(
      'The `address` of Web.open names the argument "link", which does not exist. Its arguments are url.',
    );
  });

  it('warns of a rule for an unknown command, but not for commands of the page', async () => {
    const now = { name: 'Clock.now', description: 'The time.', input: z.object({}), run: () => '' };
    const warnings = async (policy: object[]): Promise<unknown[]> => {
      const found: unknown[] = [];
      const agent = await session({ config: { policy }, tools: [pageTool(now)] });
      agent.on((event) => {
        if (event.type === 'warning' && event.code === 'invalid') found.push(event.detail);
      });
      await agent.messages();
      return found;
    };
    expect(await warnings([{ tool: 'Clock.now', do: 'ask' }])).toEqual([]);
    expect(await warnings([{ tool: 'Clock.know', do: 'ask' }])).toEqual([
      { rules: ['{"tool":"Clock.know","do":"ask"} (did you mean Clock.now?)'] },
    ]);
  });
});

it('shows an open question, and accepts its answer, in every tab that receives it', async () => {
  const ask = commands(['RoleZero.ask_human', { question: 'Which color?' }]);
  const write = commands(['Editor.write', { path: '/a.txt', content: 'blue' }]);
  const finish = commands(['RoleZero.reply_to_human', { content: 'Done.' }], ['end', {}]);
  const script = [ask, write, finish, 'Done.'];
  const policy = [{ tool: 'Editor.write', do: 'ask' }];
  const thinks = (): Promise<never> => new Promise(() => {}); // The tab that shows the question does not answer it.
  const agent = await session({ config: { script, policy }, askHuman: thinks, approve: thinks });
  const seen: unknown[] = [];
  agent.on((event) => {
    if (event.type === 'run-start' || event.type === 'run-end')
      seen.push([event.type, agent.waiting, agent.resumable, agent.running !== null, agent.lastRun?.status]);
    if (event.type !== 'human-question' && event.type !== 'approval-request') return;
    seen.push([event.type, agent.waiting?.id === event.question.id, agent.resumable, agent.running !== null]);
    void agent.answer(event.question.id, 'yes').then(() => seen.push(['answered', agent.waiting]));
  });
  const { status } = await agent.send('write a color').result();
  expect(status).toBe('done');
  expect(seen).toEqual([
    ['run-start', null, false, true, undefined],
    ['human-question', true, false, true],
    ['answered', null],
    ['approval-request', true, false, true],
    ['answered', null],
    ['run-end', null, false, false, 'done'],
  ]);
});
