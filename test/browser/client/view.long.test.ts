import { afterEach, describe, expect, it } from 'vitest';
import { connect, sessions, type AgentEvent, type ConnectOptions, type Session } from 'rolezero';
import { commands } from 'rolezero/testing';
import { gate } from './scripted-session.js';
import type { ScriptedConfig } from './scripted.worker.js';

const workers: Worker[] = [];
const open: Session[] = [];
let number = 0;

/** A tab's worker; a test can terminate it like a crash. */
async function tab(
  session: string,
  config: ScriptedConfig,
  options: Partial<ConnectOptions> = {},
): Promise<{ agent: Session; worker: Worker; heard: AgentEvent[] }> {
  const worker = new Worker(new URL('./scripted.worker.ts', import.meta.url), { type: 'module' });
  workers.push(worker);
  const agent = await connect(worker, { ...options, session, config });
  open.push(agent);
  const heard: AgentEvent[] = [];
  agent.on((event) => heard.push(event));
  return { agent, worker, heard };
}

afterEach(async () => {
  const names = new Set(open.map(({ name }) => name));
  for (const session of open.splice(0)) await session.close();
  for (const worker of workers.splice(0)) worker.terminate();
  for (const name of names) await sessions.remove(name);
});

const write = (path: string, content: string) => commands(['Editor.write', { path, content }]);
const ask = commands(['RoleZero.ask_human', { question: 'Which color?' }]);
const finish = commands(['RoleZero.reply_to_human', { content: 'There it is.' }], ['end', {}]);
const SCRIPT = [write('/a.txt', 'hello\n'), ask, finish, 'There it is.'];
const name = () => `view-${++number}`;
const types = (events: AgentEvent[]) => events.map(({ type }) => type);
/** The events of the worker, without those that the browser caused on one page. */
const reported = (events: AgentEvent[]) => events.filter(({ type }) => type !== 'storage-persistence');
const looksOn = { view: true };

describe('a read-only tab', () => {
  it('sees the events of the first tab, may read, answer and stop, but not write', async () => {
    const first = await tab(name(), { script: SCRIPT });
    const second = await tab(first.agent.name, {}, looksOn);
    expect([first.agent.viewing, second.agent.viewing]).toEqual([false, true]);

    const result = first.agent.send('paint').result();
    await expect.poll(() => second.agent.waiting?.text).toBe('Which color?');
    expect(second.agent.waiting).toEqual(first.agent.waiting);
    expect((await result).status).toBe('waiting');
    await expect.poll(() => second.heard).toEqual(reported(first.heard)); // streamed text, commands and the question
    expect(await second.agent.files.read('/a.txt')).toBe('hello\n');
    expect(await second.agent.messages()).toEqual(await first.agent.messages());
    expect(await second.agent.steps()).toEqual(await first.agent.steps());
    expect(await second.agent.usage()).toEqual(await first.agent.usage());

    const refused = { code: 'session-busy', message: expect.stringContaining('takeOver: true') as string };
    await expect(second.agent.files.write('/b.txt', 'mine')).rejects.toMatchObject(refused);
    await expect(second.agent.memory.forget(['x'])).rejects.toMatchObject(refused);
    await expect(second.agent.resume().result()).rejects.toMatchObject(refused);
    await expect(second.agent.send('something else').result()).rejects.toMatchObject(refused);

    await second.agent.answer(second.agent.waiting?.id ?? '', 'blue');
    expect([first.agent.waiting, first.agent.resumable, second.agent.resumable]).toEqual([null, true, false]);
    expect((await first.agent.resume().result()).status).toBe('done');
    await expect.poll(() => second.agent.lastRun).toEqual(first.agent.lastRun);
    await expect.poll(() => second.heard).toEqual(reported(first.heard));
  });

  it('follows the run of the first tab and stops it', async () => {
    const first = await tab(name(), { script: [], silent: true });
    const run = first.agent.send('paint');
    const second = await tab(first.agent.name, {}, looksOn); // In the middle of the run.
    const followed = second.agent.running;
    followed?.stop();
    expect((await followed?.result())?.status).toBe('stopped');
    expect((await run.result()).status).toBe('stopped');
    expect(second.agent.running).toBeNull();
  });

  it('takes over the session when the first tab closes it; an open session has no viewers', async () => {
    const first = await tab(name(), { script: SCRIPT }, looksOn);
    expect(first.agent.viewing).toBe(false);
    const second = await tab(first.agent.name, {}, looksOn);
    await first.agent.files.write('/note.txt', 'from the first');
    await first.agent.close();
    await expect.poll(() => second.agent.viewing).toBe(false);
    expect(types(second.heard)).toContain('session-held');
    await second.agent.files.write('/note.txt', 'from the second');
    expect(await second.agent.files.read('/note.txt')).toBe('from the second');
  });

  it('continues the run of a tab that crashed while a third tab follows', async () => {
    const policy: ScriptedConfig['policy'] = [{ tool: 'Editor.*', do: 'ask' }];
    const first = await tab(
      name(),
      { script: SCRIPT.slice(0, 3), policy },
      { approve: () => new Promise(() => {}) }, // No user is connected.
    );
    const rest = { script: [finish, 'There it is.'], policy };
    const options = { ...looksOn, approve: () => true };
    const second = await tab(first.agent.name, rest, options);
    const third = await tab(first.agent.name, rest, options);
    const resumable: boolean[] = [];
    second.agent.on(({ type }) => type === 'session-held' && resumable.push(second.agent.resumable));
    const result = first.agent.send('paint').result();
    await expect.poll(() => types(second.heard)).toContain('approval-request');
    const followed = second.agent.running?.result();
    first.worker.terminate();
    await expect(result).rejects.toMatchObject({ code: 'worker-lost' });

    await expect.poll(() => second.agent.viewing).toBe(false);
    await expect(followed).rejects.toMatchObject({ code: 'worker-lost' });
    expect([second.agent.resumable, third.agent.viewing]).toEqual([true, true]);
    expect(resumable).toEqual([true]); // A listener may resume at once.
    expect((await second.agent.resume().result()).status).toBe('done');
    await expect.poll(() => third.agent.lastRun).toEqual(second.agent.lastRun);
    expect(third.heard.at(-1)).toEqual(second.heard.at(-1));
    expect(await third.agent.files.read('/a.txt')).toBe('hello\n');
  });

  it('changes a request that waits for the run of the other tab', async () => {
    const { tools, call, reached, pass } = gate();
    const first = await tab(name(), { script: [call, finish] }, { tools });
    const run = first.agent.send('paint');
    await reached;
    await first.agent.send('in blue', { id: 'blue' }).accepted;
    await first.agent.send('and large', { id: 'large' }).accepted;
    const second = await tab(first.agent.name, {}, looksOn); // it opens while they wait
    expect(second.agent.queued.map(({ messageId }) => messageId)).toEqual(['blue', 'large']);
    await second.agent.revise('blue', 'in red');
    await second.agent.withdraw('large');
    await expect.poll(() => first.agent.queued.map(({ content }) => content)).toEqual(['in red']);
    expect(second.agent.queued).toEqual(first.agent.queued);
    pass();
    await run.result();
    await expect.poll(() => second.agent.queued).toEqual([]);
  });

  it('follows the tab that took the session over', async () => {
    const first = await tab(name(), {});
    const second = await tab(first.agent.name, {}, looksOn);
    const thief = await tab(first.agent.name, {}, { takeOver: true });
    await thief.agent.files.write('/thief.txt', 'was here');
    await expect.poll(() => second.agent.files.read('/thief.txt').catch(() => '')).toBe('was here');
    expect([second.agent.viewing, thief.agent.viewing]).toEqual([true, false]);
    expect(types(second.heard)).not.toContain('warning'); // Covered by another test.
  });

  it('reports that the session is busy where no user answers', async () => {
    const session = name();
    let free = (): void => {};
    await new Promise<void>((held) => {
      void navigator.locks.request(`rolezero:rolezero:${session}`, () => {
        held();
        return new Promise<void>((resolve) => (free = resolve));
      });
    });
    await expect(tab(session, {}, looksOn)).rejects.toMatchObject({
      code: 'session-busy',
      message: expect.stringContaining('does not answer') as string,
    });
    free();
    expect((await tab(session, {}, looksOn)).agent.viewing).toBe(false); // A rejected tab no longer waits for the lock.
  });
});
