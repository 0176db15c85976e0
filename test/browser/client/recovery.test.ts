import { describe, expect, it } from 'vitest';
import { connect, type AgentEvent, type RoleZeroError, type Session } from 'rolezero';
import { collect, finish, newName, open, useSessions, workers, write } from './scripted-session.js';
import type { ScriptedConfig } from './scripted.worker.js';

useSessions();

/** Opens a session whose worker is replaced when it is lost. `lose` terminates the newest worker. */
async function replaceable(
  config: ScriptedConfig,
  restarts = 3,
): Promise<{ agent: Session; made: Worker[]; lose: () => void; codes: string[] }> {
  const { made, make } = workers();
  const agent = await connect(make, { session: newName('recovery'), restarts, config, persist: false });
  open.push(agent);
  const codes: string[] = [];
  agent.on((event) => event.type === 'warning' && codes.push(event.code));
  return { agent, made, lose: () => made.at(-1)?.terminate(), codes };
}

/** Resolves as soon as the session has noticed the loss of its worker. */
const noticed = (agent: Session): Promise<AgentEvent> =>
  new Promise((resolve) => {
    const off = agent.on((event) => {
      if (event.type !== 'warning' || event.code !== 'worker-restarted') return;
      off();
      resolve(event);
    });
  });

describe('while a lost worker is replaced', () => {
  it('answers calls that were in flight or made meanwhile, and sends the message', async () => {
    const { agent, made, lose, codes } = await replaceable({ script: [write('/b.txt', 'b'), finish] });
    await agent.files.write('/a.txt', 'a');
    const lost = noticed(agent);
    lose();
    const inFlight = [agent.files.read('/a.txt'), agent.messages(), agent.files.list()];
    await lost;
    const held = [agent.files.read('/a.txt'), agent.usage(), agent.files.write('/c.txt', 'c')];
    const run = agent.send('write b');
    expect((await Promise.all(inFlight))[0]).toBe('a');
    expect((await Promise.all(held))[0]).toBe('a');
    expect(await run.result()).toMatchObject({ status: 'done' });
    expect(await agent.files.read('/b.txt')).toBe('b');
    expect(await agent.files.read('/c.txt')).toBe('c');
    expect(made).toHaveLength(2);
    expect(codes.filter((code) => code !== 'storage-copy')).toEqual(['worker-restarted']);
    expect(codes.filter((code) => code === 'storage-copy').length).toBeLessThan(2); // a browser may have no replica
  });

  it('adds a message once whose call was in flight, also to a run in progress', async () => {
    const { agent, lose } = await replaceable({ script: [write('/b.txt', 'b'), finish], delay: 300 });
    const lost = noticed(agent);
    const run = agent.send('write b');
    const events = collect(run);
    const joined = agent.send('and be quick');
    lose();
    await lost;
    expect(await run.result()).toMatchObject({ status: 'done' });
    expect(await joined.result()).toEqual(await run.result());
    const requests = (await agent.messages()).filter(({ causeBy }) => causeBy === 'UserRequirement');
    expect(requests.map(({ content }) => content)).toEqual(['write b', 'and be quick']);
    expect((await events).at(-1)?.type).toBe('run-end');
  });

  it('stops the run with a stop that was requested meanwhile', async () => {
    const { agent, lose } = await replaceable({ silent: true });
    const run = agent.send('think');
    await expect.poll(() => agent.running?.ended).toBe(false);
    await agent.messages();
    const lost = noticed(agent);
    lose();
    await lost;
    run.stop();
    expect(await run.result()).toMatchObject({ status: 'stopped' });
  });

  it('rejects waiting calls when the session is closed', async () => {
    const { agent, lose } = await replaceable({});
    const lost = noticed(agent);
    lose();
    await lost;
    const held = agent.files.list().catch((error: unknown) => error);
    await agent.close();
    expect(await held).toMatchObject({
      code: 'worker-lost',
      message: `Session '${agent.name}' was closed here. Connect again to use it.`,
    });
  });
});

describe('without replacement', () => {
  it('says how to go on', async () => {
    const { agent, lose } = await replaceable({}, 0);
    lose();
    await expect
      .poll(() => agent.files.list().catch((error: unknown) => (error as RoleZeroError).code))
      .toBe('worker-lost');
    await expect(agent.files.list()).rejects.toMatchObject({
      message: expect.stringContaining('Nothing committed is lost; connect again and resume') as string,
    });
  });
});
