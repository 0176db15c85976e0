import { describe, expect, it } from 'vitest';
import { connect, RoleZeroError, sessions, type AgentEvent } from 'rolezero';
import type { ScriptedConfig } from './scripted.worker.js';
import { newName, open, session, useSessions, worker, workers } from './scripted-session.js';

useSessions();

describe('a failing worker', () => {
  it('names a worker script that does not exist', async () => {
    const missing = () => new Worker('/there-is-no-such-worker.js', { type: 'module' });
    await expect(connect(missing, { session: 'x' })).rejects.toMatchObject({
      code: 'worker-start',
      message: expect.stringContaining('did not load') as string,
    });
  });

  it('names a frame without an origin, which may have no worker', async () => {
    const frame = document.createElement('iframe');
    frame.sandbox.add('allow-scripts');
    const script = new URL('./scripted.worker.ts', import.meta.url).href;
    frame.srcdoc = `<script>
      try { new Worker(${JSON.stringify(script)}, { type: 'module' }); }
      catch (error) { parent.postMessage({ refused: [error.message, error.name] }, '*'); }
    </script>`;
    const refused = new Promise<[message: string, name: string]>((resolve) => {
      addEventListener('message', ({ data }: MessageEvent<{ refused?: [string, string] } | null>) => {
        if (Array.isArray(data?.refused)) resolve(data.refused);
      });
    });
    document.body.append(frame);
    const [message, name] = await refused;
    frame.remove();
    const make = (): Worker => {
      throw new DOMException(message, name); // as in that frame
    };
    await expect(connect(make, { session: 'x' })).rejects.toMatchObject({
      code: 'worker-start',
      message: expect.stringContaining('A sandboxed frame needs allow-same-origin') as string,
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

  it('passes on the error of the function given to serve', async () => {
    await expect(session({ fail: 'no such model' })).rejects.toMatchObject({ message: 'no such model' });
  });

  it('reports to a second tab that the session is busy, unless it takes over', async () => {
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
      session: newName('dying'),
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

  it('restarts a worker that was lost during a run, and the same session object continues', async () => {
    const { made, make } = workers();
    const agent = await connect(make, {
      session: newName('again'),
      restarts: 3,
      config: { script: ['Hello.'], delay: 300 } satisfies ScriptedConfig,
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

  it('gives up on a worker that is lost repeatedly', async () => {
    const { made, make } = workers();
    const agent = await connect(make, {
      session: newName('dying-again'),
      restarts: 2,
      config: { silent: true } satisfies ScriptedConfig,
    });
    agent.on((event) => event.type === 'run-start' && made.at(-1)?.terminate());
    await expect(agent.send('hello?').result()).rejects.toMatchObject({ code: 'worker-lost' });
    expect(made).toHaveLength(3);
    await agent.close();
  });

  it(
    'does not restart a worker a fourth time after a request ended it three times in a row',
    { tags: 'nightly' },
    async () => {
      const name = newName('poisoned');
      const script = ['Hello.'];
      /** Opens the session and runs; the worker dies when it is configured to. */
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
      // A manual resume resets the count, and so does a completed run.
      expect(await attempt(true)).toBe('worker-lost');
      expect(await attempt(false)).toBe('done');
      expect(localStorage.getItem(`rolezero-tries:${name}`)).toBeNull();
      await sessions.remove(name);
    },
  );

  it.each(['made', 'given'])('does not wait for a worker that hangs while opening, %s', async (how) => {
    const { made, make } = workers();
    const opening = connect(how === 'made' ? make : make(), {
      session: newName('hung'),
      config: { loops: true },
      hungAfterMs: 600,
    });
    await expect(opening).rejects.toMatchObject({
      code: 'worker-lost',
      message: expect.stringContaining('while it opened the session') as string,
    });
    for (const one of made) one.terminate();
  });

  /** Opens a session; the first workers after `healthy` ones are made by `bad`. */
  async function withBad(healthy: number, bad: (() => Worker)[], restarts: number) {
    const { made, make } = workers();
    let count = 0;
    const agent = await connect(
      () => {
        const replaced = bad[count++ - healthy];
        if (replaced === undefined) return make();
        const one = replaced();
        made.push(one);
        return one;
      },
      { session: newName('replaced'), config: { script: ['Hello.'] }, restarts, persist: false },
    );
    open.push(agent);
    return { agent, made };
  }
  const missing = (): Worker => new Worker('/there-is-no-such-worker.js', { type: 'module' });
  const dying = (): Worker => {
    const one = worker();
    one.terminate();
    return one;
  };

  it('replaces a replacement that does not load, and one that dies while it starts', async () => {
    const { agent, made } = await withBad(1, [missing, dying], 3);
    await agent.files.write('/a.txt', 'a');
    const lost = performance.now();
    made[0]?.terminate();
    expect(await agent.files.read('/a.txt')).toBe('a');
    expect((await agent.send('hello?').result()).status).toBe('done');
    expect(made).toHaveLength(4);
    expect(performance.now() - lost).toBeLessThan(15_000);
  });

  it('replaces the first worker, too, when it does not load', async () => {
    const { agent, made } = await withBad(0, [missing, missing], 3);
    expect((await agent.send('hello?').result()).status).toBe('done');
    expect(made).toHaveLength(3);
  });

  it('says what became of the last replacement when all are used up', async () => {
    const { agent, made } = await withBad(1, [missing, missing], 2);
    const run = agent.send('hello?');
    await run.accepted;
    made[0]?.terminate();
    await expect(agent.messages()).rejects.toMatchObject({
      code: 'worker-lost',
      message: expect.stringMatching(
        /2 replacements were lost, too\. The last one: .* did not load/,
      ) as string,
    });
    expect(made).toHaveLength(3);
  });

  it('restarts a worker that was lost during recovery', { tags: 'nightly' }, async () => {
    const made: Worker[] = [];
    const make = (): Worker => {
      const one = worker();
      made.push(one);
      if (made.length === 2) one.postMessage('hang');
      return one;
    };
    const script = ['Hello.'];
    const agent = await connect(make, {
      session: newName('again'),
      config: { script },
      restarts: 3,
      hungAfterMs: 3_000,
    });
    open.push(agent);
    made[0]?.terminate(); // The second one hangs at its start.
    await expect.poll(() => made.length).toBeGreaterThanOrEqual(3);
    expect((await agent.usage()).calls).toBe(0);
    expect((await agent.send('hello?').result()).status).toBe('done');
  });

  it('terminates a worker that hangs, and continues in another one', async () => {
    const { made, make } = workers();
    const agent = await connect(make, {
      session: newName('hung'),
      restarts: 3,
      hungAfterMs: 6_000,
      config: { script: ['Hello.'] } satisfies ScriptedConfig,
    });
    const restarted = new Promise<AgentEvent>((resolve) => {
      agent.on((event) => event.type === 'warning' && resolve(event));
    });
    made[0]?.postMessage('hang');
    expect(await restarted).toMatchObject({ code: 'worker-restarted' });
    expect(await agent.messages()).toEqual([]);
    expect((await agent.send('hello?').result()).status).toBe('done');
    await agent.close();
  });

  it('closes while its worker hangs', async () => {
    const { made, make } = workers();
    const agent = await connect(make, { session: newName('hung'), hungAfterMs: 600, config: {} });
    made[0]?.postMessage('hang');
    await agent.close();
  });

  it.each([{ view: false }, { view: true }])(
    'takes the session over from a hanging worker that does not end when it is terminated: %o',
    async (options) => {
      const { made, make } = workers();
      const endings: (() => void)[] = [];
      /** Like a worker that hangs in code of the browser. */
      const makeEndless = (): Worker => {
        const one = make();
        endings.push(() => Worker.prototype.terminate.call(one));
        one.terminate = () => {};
        return one;
      };
      const agent = await connect(makeEndless, {
        ...options,
        session: newName('endless'),
        restarts: 1,
        hungAfterMs: 6_000,
        config: { script: ['Hello.'] } satisfies ScriptedConfig,
      });
      await agent.files.write('/a.txt', 'a');
      made[0]?.postMessage('hang');
      expect((await agent.send('hello?').result()).status).toBe('done');
      expect(await agent.files.read('/a.txt')).toBe('a');
      await agent.close();
      for (const end of endings) end();
    },
  );

  it('repeats a change that a hanging worker did not store, in the worker that replaces it', async () => {
    const { made, make } = workers();
    const agent = await connect(make, { session: newName('hung'), restarts: 3, config: {} });
    open.push(agent);
    await agent.files.write('/a.txt', 'a');
    made[0]?.postMessage('hang'); // the call reaches a worker that does not process it
    const writing = agent.files.write('/a.txt', 'b');
    made[0]?.terminate();
    await writing;
    expect(await agent.files.read('/a.txt')).toBe('b');
  });

  it('rejects files that are too large before their bytes are copied to it', async () => {
    const { made, make } = workers();
    const agent = await connect(make, { session: newName('large'), config: {} });
    open.push(agent);
    made[0]?.postMessage('hang'); // it answers no call
    const content = new Uint8Array(8 * 1024 * 1024 + 1);
    const refused = {
      code: 'invalid',
      message: expect.stringContaining('it would have 8388609 bytes and a file may have 8388608') as string,
      detail: { path: '/a.bin', limit: 'fileBytes', allowed: 8_388_608 },
    };
    await expect(agent.files.write('/a.bin', content)).rejects.toMatchObject(refused);
    await expect(agent.files.writeAll([{ path: '/a.bin', content }])).rejects.toMatchObject(refused);
    made[0]?.terminate();
  });

  it('fails with "model-request" when the script of a scripted model is used up', async () => {
    const agent = await session({ script: ['I do it.'] });
    const result = await agent.send('go').result();
    expect([result.status, result.error?.message]).toEqual([
      'failed',
      expect.stringContaining('no reply left'),
    ]);
  });
});
