import * as z from 'zod';
import { afterEach, describe, expect, it } from 'vitest';
import {
  connect,
  defineTool,
  pageTool,
  RoleZeroError,
  sessions,
  type AgentEvent,
  type ConnectOptions,
  type Session,
} from 'rolezero';
import { commands } from 'rolezero/testing';
import type { ScriptedConfig } from './scripted.worker.js';

const open: Session[] = [];
let number = 0;

function worker(): Worker {
  return new Worker(new URL('./scripted.worker.ts', import.meta.url), { type: 'module' });
}

/** Makes workers, and remembers them. */
function workers(): { made: Worker[]; make: () => Worker } {
  const made: Worker[] = [];
  const make = (): Worker => {
    const one = worker();
    made.push(one);
    return one;
  };
  return { made, make };
}

async function session(config: ScriptedConfig, options: Partial<ConnectOptions> = {}): Promise<Session> {
  const opened = await connect(worker, { session: `connect-${++number}`, ...options, config });
  open.push(opened);
  return opened;
}

afterEach(async () => {
  const closed = open.splice(0);
  for (const each of closed) await each.close();
  for (const name of new Set(closed.map((each) => each.name))) await sessions.remove(name);
});

const TASK = 'Response Category: TASK';
const write = (path: string, content: string) => commands(['Editor.write', { path, content }]);
const finish = commands(['RoleZero.reply_to_human', { content: 'There it is.' }], ['end', {}]);

async function collect(run: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

describe('a page and its worker', () => {
  it('runs a request to its end, streaming what happens', async () => {
    const agent = await session({
      script: [TASK, 'English', write('/a.txt', 'hello\n'), finish, 'Wrote a.txt.'],
    });
    const run = agent.send('write hello');
    const events = await collect(run);
    expect(events[0]).toMatchObject({ type: 'run-start', request: 'write hello', resumed: false });
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'done', summary: 'Wrote a.txt.' });
    expect(events.flatMap((event) => (event.type === 'command-end' ? [event.name] : []))).toEqual([
      'Editor.write',
      'RoleZero.reply_to_human',
      'end',
    ]);
    expect(events.filter((event) => event.type === 'human-reply')).toMatchObject([{ text: 'There it is.' }]);
    const texts = (type: 'reply-delta' | 'thought-delta'): string =>
      events.flatMap((event) => (event.type === type ? [event.text] : [])).join('');
    expect(texts('reply-delta')).toBe(write('/a.txt', 'hello\n') + finish);
    expect(texts('thought-delta')).toBe('I will run Editor.write.I will run RoleZero.reply_to_human, end.');
    expect(await run.result()).toEqual({ status: 'done', summary: 'Wrote a.txt.', error: null });
    expect(await agent.files.read('/a.txt')).toBe('hello\n');
    expect(agent.running).toBeNull();
    expect((await agent.usage()).calls).toBe(5);
  });

  it('finds everything again after the worker was replaced', async () => {
    const script = [TASK, 'English', write('/a.txt', 'hello\n'), finish, 'Wrote a.txt.'];
    const first = await session({ script });
    await first.send('write hello').result();
    const before = [await first.messages(), await first.plan(), await first.files.list()];
    await first.close();
    const second = await session({}, { session: first.name });
    expect([await second.messages(), await second.plan(), await second.files.list()]).toEqual(before);
    expect(second.lastRun).toEqual({ status: 'done', summary: 'Wrote a.txt.', error: null });
  });

  it('shows the end of a conversation first, and the pages before it', async () => {
    const first = await session({
      script: [TASK, 'English', write('/a.txt', 'hello\n'), finish, 'Wrote a.txt.'],
    });
    await first.send('write hello').result();
    const all = await first.messages();
    await first.close();
    const second = await session({}, { session: first.name });
    const newest = await second.messages({ last: 2 });
    expect(newest).toEqual(all.slice(-2));
    expect(await second.messages({ last: 2, before: newest[0]?.id ?? '' })).toEqual(all.slice(-4, -2));
    expect(await second.messages({ role: 'Zero' })).toEqual(all);
    await expect(second.messages({ last: -1 })).rejects.toMatchObject({ code: 'invalid' });
    await expect(second.messages({ before: 'nobody' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('asks the person and goes on with the answer', async () => {
    const ask = commands(['RoleZero.ask_human', { question: 'Which colour?', options: ['red', 'blue'] }]);
    const agent = await session(
      { script: [TASK, 'English', ask, finish, 'done'] },
      { askHuman: (question) => question.options?.[1] ?? null },
    );
    const events = await collect(agent.send('paint'));
    expect(events.find((event) => event.type === 'human-question')).toMatchObject({
      question: { text: 'Which colour?', options: ['red', 'blue'] },
    });
    expect((await agent.messages()).map((message) => message.content)).toContain(
      'Command RoleZero.ask_human executed:Human response: blue',
    );
  });

  it('leaves a question open, and takes its answer after a reload', async () => {
    const ask = commands(['RoleZero.ask_human', { question: 'Which colour?' }]);
    const first = await session({ script: [TASK, 'English', ask] });
    expect((await first.send('paint').result()).status).toBe('waiting');
    await first.close();
    const second = await session({ script: [finish, 'done'] }, { session: first.name });
    const question = second.waiting;
    expect(question).toMatchObject({ text: 'Which colour?', kind: 'question' });
    await second.answer(question?.id ?? '', 'green');
    expect([second.waiting, second.resumable]).toEqual([null, true]);
    expect((await second.resume().result()).status).toBe('done');
    expect((await second.messages()).map((message) => message.content)).toContain(
      'Command RoleZero.ask_human executed:Human response: green',
    );
  });

  it('asks for approval when a rule says so', async () => {
    const asked: string[] = [];
    const agent = await session(
      {
        script: [TASK, 'English', write('/a.txt', 'x'), finish, 'done'],
        policy: [{ tool: 'Editor.*', do: 'ask' }],
      },
      {
        approve: (command) => {
          asked.push(command.name);
          return false;
        },
      },
    );
    await agent.send('write').result();
    expect([asked, await agent.files.list()]).toEqual([['Editor.write'], []]);
  });

  it('runs tools of the page, with checked arguments', async () => {
    const seen: unknown[] = [];
    const title = defineTool({
      name: 'Page.title',
      description: 'Set the title of the page.',
      input: z.object({ title: z.string() }),
      run: ({ title: text }) => {
        seen.push(text);
        return `title is ${text}`;
      },
    });
    const call = (args: Record<string, never> | { title: string }) => commands(['Page.title', args]);
    const agent = await session(
      { script: [TASK, 'English', call({}), call({ title: 'Hi' }), finish, 'done'] },
      { tools: [pageTool(title)] },
    );
    await agent.send('title').result();
    const contents = (await agent.messages()).map((message) => message.content);
    expect(seen).toEqual(['Hi']);
    expect(contents).toContain('Command Page.title executed: title is Hi');
    expect(contents.some((content) => content.includes('Invalid arguments for Page.title'))).toBe(true);
  });

  it('stops a model that never answers, and can go on afterwards', async () => {
    const agent = await session({ silent: true });
    const run = agent.send('hello?');
    for await (const event of run) if (event.type === 'run-start') run.stop();
    expect((await run.result()).status).toBe('stopped');
    expect(agent.resumable).toBe(true);
  });

  it('hands a second message to the run in progress', async () => {
    const agent = await session({
      script: [TASK, 'English', write('/a.txt', 'x'), finish, 'done'],
      delay: 30,
    });
    const run = agent.send('write');
    const second = agent.send('in blue, please');
    expect(second).toBe(run);
    expect((await run.result()).status).toBe('done');
    expect((await agent.messages()).map((message) => message.content)).toContain('in blue, please');
  });

  it('files a person changes are committed and told', async () => {
    const agent = await session({});
    const told: AgentEvent[] = [];
    agent.on((event) => told.push(event));
    await agent.files.write('/notes/a.md', '# hi');
    await agent.files.move('/notes/a.md', '/b.md');
    await agent.files.remove('/b.md');
    expect(told.filter((event) => event.type === 'file-changed')).toEqual([
      { type: 'file-changed', path: '/notes/a.md', change: 'written', by: 'person' },
      { type: 'file-changed', path: '/b.md', change: 'written', by: 'person' },
      { type: 'file-changed', path: '/notes/a.md', change: 'removed', by: 'person' },
      { type: 'file-changed', path: '/b.md', change: 'removed', by: 'person' },
    ]);
    await expect(agent.files.read('/../etc/passwd')).rejects.toMatchObject({ code: 'permission' });
    await expect(agent.files.read('/nothing')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('shows what the agent remembers from long ago, also after a reload, and forgets it when told to', async () => {
    const config: ScriptedConfig = { script: { think: [finish, finish] }, window: 2 };
    const first = await session(config);
    await first.send('The key is under the mat.').result();
    await first.send('Where is the key?').result();
    await first.close();

    const again = await session(config, { session: first.name });
    const [found] = await again.memory.search('key mat', { limit: 1 });
    expect(found).toMatchObject({ role: 'Zero', message: { content: 'The key is under the mat.' } });
    const listed = await again.memory.list();
    expect(listed[0]).toEqual(found);
    expect(await again.memory.export({ role: 'Zero' })).toMatchObject({ session: first.name, items: listed });
    expect([await again.memory.forget(found?.id ?? ''), await again.memory.forget('nobody')]).toEqual([
      true,
      false,
    ]);
    expect(await again.memory.list()).toEqual(listed.slice(1));
    await expect(again.memory.list({ role: 'Eve' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('exports a session that can be imported under another name', async () => {
    const agent = await session({ script: ['Response Category: QUICK', 'Hello!'] });
    await agent.send('hi').result();
    const text = JSON.stringify(await agent.export());
    expect(JSON.stringify(await sessions.export(agent.name))).toBe(text); // which opens nothing
    await sessions.import(JSON.parse(text), `${agent.name}-copy`);
    const copy = await session({}, { session: `${agent.name}-copy` });
    expect(await copy.messages()).toEqual(await agent.messages());
    expect((await sessions.list()).map((info) => info.name)).toEqual(
      expect.arrayContaining([agent.name, copy.name]),
    );
  });
});

describe('what can go wrong between page and worker', () => {
  it('names a worker script that is not there', async () => {
    const missing = () => new Worker('/there-is-no-such-worker.js', { type: 'module' });
    await expect(connect(missing, { session: 'x' })).rejects.toMatchObject({
      code: 'worker-start',
      message: expect.stringContaining('did not load') as string,
    });
  });

  it('names a script that throws while it starts', async () => {
    const source = URL.createObjectURL(new Blob(['throw new Error("boom")'], { type: 'text/javascript' }));
    const broken = () => new Worker(source, { type: 'module' });
    await expect(connect(broken)).rejects.toMatchObject({
      code: 'worker-start',
      message: expect.stringContaining('boom') as string,
    });
  });

  it('passes on what the function given to serve throws', async () => {
    await expect(session({ fail: 'no such model' })).rejects.toMatchObject({ message: 'no such model' });
  });

  it('tells a second tab that the session is busy, unless it takes over', async () => {
    const first = await session({});
    const warned = new Promise<AgentEvent>((resolve) => first.on(resolve));
    await expect(session({}, { session: first.name })).rejects.toMatchObject({ code: 'session-busy' });
    const second = await session({}, { session: first.name, takeOver: true });
    expect(await warned).toMatchObject({ type: 'warning', code: 'session-fenced' });
    await expect(first.files.write('/a', 'late')).rejects.toMatchObject({ code: 'session-fenced' });
    await expect(first.send('hello').result()).rejects.toMatchObject({ code: 'session-fenced' });
    await second.files.write('/a', 'mine');
  });

  it('rejects everything pending when the worker dies', async () => {
    const { made, make } = workers();
    const agent = await connect(make, {
      session: `dying-${++number}`,
      restarts: 0,
      config: { silent: true } satisfies ScriptedConfig,
    });
    const run = agent.send('hello?');
    await new Promise<void>((resolve) => {
      const off = agent.on((event) => {
        if (event.type !== 'run-start') return;
        off();
        resolve();
      });
    });
    made[0]?.terminate();
    await expect(run.result()).rejects.toMatchObject({ code: 'worker-lost' });
    await expect(agent.messages()).rejects.toMatchObject({ code: 'worker-lost' });
    await agent.close();
  });

  it('makes a worker anew that was lost in the middle of a run, and the run goes on in the same hands', async () => {
    const { made, make } = workers();
    const agent = await connect(make, {
      session: `again-${++number}`,
      restarts: 3,
      config: { script: ['Response Category: QUICK', 'Hello.'], delay: 300 } satisfies ScriptedConfig,
    });
    const warned: string[] = [];
    agent.on((event) => {
      if (event.type === 'warning') warned.push(event.code);
      if (event.type === 'run-start' && !event.resumed) made[0]?.terminate();
    });
    expect((await agent.send('hello?').result()).status).toBe('done');
    expect(warned).toEqual(['worker-restarted']);
    expect(made).toHaveLength(2);
    await agent.close();
  });

  it('gives up on a worker that is lost again and again', async () => {
    const { made, make } = workers();
    const agent = await connect(make, {
      session: `dying-again-${++number}`,
      restarts: 2,
      config: { silent: true } satisfies ScriptedConfig,
    });
    agent.on((event) => event.type === 'run-start' && made.at(-1)?.terminate());
    await expect(agent.send('hello?').result()).rejects.toMatchObject({ code: 'worker-lost' });
    expect(made).toHaveLength(3);
    await agent.close();
  });

  it('does not try a fourth time by itself what has ended its worker three times in a row', async () => {
    const name = `poisoned-${++number}`;
    const script = ['Response Category: QUICK', 'Hello.'];
    /** Opens the session and works; the worker dies over it when it is to. */
    const attempt = async (dies: boolean): Promise<unknown> => {
      let made: Worker | null = null;
      const make = (): Worker => (made = worker());
      const config: ScriptedConfig = dies ? { silent: true } : { script };
      const agent = await connect(make, { session: name, config });
      if (dies) agent.on((event) => event.type === 'run-start' && made?.terminate());
      try {
        const run = agent.resumable ? agent.resume() : agent.send('hello?');
        return (await run.result()).status;
      } catch (error) {
        return (error as RoleZeroError).code;
      } finally {
        await agent.close();
      }
    };
    const came: unknown[] = [];
    for (let visit = 0; visit < 5; visit++) came.push(await attempt(true));
    expect(came).toEqual(['worker-lost', 'worker-lost', 'worker-lost', 'worker-lost', 'step-poisoned']);
    // Whoever resumes again has asked for it; what comes to an end is forgotten.
    expect(await attempt(true)).toBe('worker-lost');
    expect(await attempt(false)).toBe('done');
    expect(localStorage.getItem(`rolezero-tries:${name}`)).toBeNull();
    await sessions.remove(name);
  });

  it.each(['made', 'given'])(
    'does not wait for a worker that hangs over the opening, when it is %s',
    async (how) => {
      const { made, make } = workers();
      const opening = connect(how === 'made' ? make : make(), {
        session: `hung-${++number}`,
        config: { loops: true },
        hungAfterMs: 600,
      });
      await expect(opening).rejects.toMatchObject({
        code: 'worker-lost',
        message: expect.stringContaining('while it opened the session') as string,
      });
      for (const one of made) one.terminate();
    },
  );

  it('makes a worker anew that was lost while it came back', async () => {
    const made: Worker[] = [];
    const make = (): Worker => {
      const one = worker();
      made.push(one);
      if (made.length === 2) one.postMessage('hang');
      return one;
    };
    const script = ['Response Category: QUICK', 'Hello.'];
    const agent = await connect(make, {
      session: `again-${++number}`,
      config: { script },
      restarts: 3,
      hungAfterMs: 3_000,
    });
    open.push(agent);
    made[0]?.terminate(); // and the second one hangs at its start
    await expect.poll(() => made.length).toBeGreaterThanOrEqual(3);
    await expect
      .poll(() =>
        agent
          .usage()
          .then(({ calls }) => calls)
          .catch(() => -1),
      )
      .toBe(0);
    expect((await agent.send('hello?').result()).status).toBe('done');
  });

  it('ends a worker that hangs, and goes on in another', async () => {
    const { made, make } = workers();
    const agent = await connect(make, {
      session: `hung-${++number}`,
      restarts: 3,
      hungAfterMs: 6_000,
      config: { script: ['Response Category: QUICK', 'Hello.'] } satisfies ScriptedConfig,
    });
    const restarted = new Promise<AgentEvent>((resolve) => {
      agent.on((event) => event.type === 'warning' && resolve(event));
    });
    made[0]?.postMessage('hang');
    expect(await restarted).toMatchObject({ code: 'worker-restarted' });
    await expect.poll(() => agent.messages().catch(() => null), { timeout: 30_000 }).toEqual([]);
    expect((await agent.send('hello?').result()).status).toBe('done');
    await agent.close();
  });

  it('says "model-request" when the script of a scripted model is used up', async () => {
    const agent = await session({ script: [TASK] });
    const result = await agent.send('go').result();
    expect([result.status, result.error?.message]).toEqual([
      'failed',
      expect.stringContaining('asked a call more'),
    ]);
  });
});
