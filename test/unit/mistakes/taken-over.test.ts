import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import type { Question } from '../../../src/core/human.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';

const MESSAGE =
  "Another tab or worker took over or removed session 'shop', so this one can no longer use it. Connect again to continue from what is stored: with { view: true } to watch, with { takeOver: true } to take it back.";

describe('a session that another tab takes over', () => {
  it('fails its run and every later call with session-fenced, and warns', async () => {
    const storage = memoryStorage();
    const events: AgentEvent[] = [];
    let asked: () => void = () => {};
    const question = new Promise<void>((resolve) => (asked = resolve));
    const open = (takeOver: boolean, askUser: (q: Question) => Promise<string | null>): Promise<Session> =>
      Session.open({
        storage,
        name: 'shop',
        roles: [
          new RoleZero({
            model: scriptedModel({ think: [commands(['RoleZero.ask_human', { question: 'Which?' }])] }),
          }),
        ],
        takeOver,
        askUser,
        emit: (event) => events.push(event),
      });
    const first = await open(false, () => {
      asked();
      return new Promise(() => {});
    });
    const { result } = await first.send('Build a shop');
    await question;
    const second = await open(true, async () => null);

    expect(await result).toMatchObject({
      status: 'failed',
      error: { code: 'session-fenced', message: MESSAGE },
    });
    for (const call of [
      () => first.send('more'),
      () => first.resume(),
      () => first.answer('id', 'yes'),
      () => first.files.write('/a.txt', 'a'),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'session-fenced', message: MESSAGE });
    expect(events.find((event) => event.type === 'warning')).toMatchObject({
      code: 'session-fenced',
      message: MESSAGE,
    });
    expect(second.resumable).toBe(true);
    await first.close();
    await second.close();
  });
});
