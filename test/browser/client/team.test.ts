import { afterEach, describe, expect, it } from 'vitest';
import { connect, sessions, type Run, type Session } from 'rolezero';

let session: Session;

afterEach(async () => {
  await session.close();
  await sessions.remove(session.name);
});

function open(): Promise<Session> {
  return connect(() => new Worker(new URL('./team.worker.ts', import.meta.url), { type: 'module' }), {
    session: 'a team',
  });
}

async function answers(run: Run): Promise<string[]> {
  const replies: string[] = [];
  for await (const event of run) if (event.type === 'human-reply') replies.push(event.text);
  return replies;
}

describe('a page and a team', () => {
  it('sends a request to the first or the named role', async () => {
    session = await open();
    expect(await answers(session.send('say who you are'))).toEqual(['I am Ann.']);
    expect(await answers(session.send('and you?', { to: 'Bob' }))).toEqual(['I am Bob.']);
    const asked = async (role?: string) => (await session.messages(role))[0]?.content;
    expect([await asked(), await asked('Ann'), await asked('Bob')]).toEqual([
      'say who you are',
      'say who you are',
      'I have finished the task, please mark my task as finished. Outputs: Command RoleZero.reply_to_human executed: SUCCESS, the user received your reply. Do not send it again. If nothing is left to do, use the command end.\n\nCommand end executed:I am Ann.',
    ]);
    expect((await session.plan('Bob')).goal).toBe('and you?');
  });

  it('A-243 reports an unknown role name and continues', async () => {
    session = await open();
    const notFound = { code: 'not-found', detail: { name: 'Carol', roles: ['Ann', 'Bob'] } };
    await expect(session.send('hello?', { to: 'Carol' }).result()).rejects.toMatchObject(notFound);
    await expect(session.messages('Carol')).rejects.toMatchObject(notFound);
    expect(await answers(session.send('say who you are'))).toEqual(['I am Ann.']);
    expect((await session.inspect()).messages.map(({ recipients }) => recipients)).toEqual([
      ['Ann'],
      ['Bob'],
    ]);
  });
});
