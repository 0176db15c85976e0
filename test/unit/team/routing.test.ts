import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import {
  Action,
  AIMessage,
  Message,
  QUICK_THINK,
  RunCommand,
  UserMessage,
} from '../../../src/core/message.js';
import { Environment, type EnvironmentOptions } from '../../../src/team/environment.js';
import { TeamLeader } from '../../../src/team/team-leader.js';
import { Role } from '../../../src/metagpt/role.js';
import type { TeamRole } from '../../../src/agent/runtime/work.js';
import { deadLetterWarning, standaloneContext as standalone } from '../../../src/agent/runtime/context.js';
import { MAX_WAITING } from '../../../src/agent/runtime/inbox.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';

const run = { id: 'run', signal: new AbortController().signal };

/** An environment with a leader, Alice and Bob, who never reply. */
function team(options: EnvironmentOptions = {}, leader: TeamRole = new TeamLeader()): Environment {
  const environment = new Environment({ leader, ...options });
  environment.addRole(new RoleZero({ name: 'Alice', profile: 'Engineer' }));
  environment.addRole(new RoleZero({ name: 'Bob', profile: 'Reviewer' }));
  return environment;
}

/** The messages of a role that are not observed yet. */
async function received(environment: Environment, name: string): Promise<string[]> {
  const role = environment.getRole(name);
  // With an aborted signal, a role observes its messages and does not start a step.
  await role?.work({ id: 'look', signal: AbortSignal.abort() });
  return role?.agent.memory.get().map((message) => message.content) ?? [];
}

const fromUser = (content: string, ...sendTo: string[]): Message =>
  new UserMessage({ content, sentFrom: 'User', sendTo });
const fromLeader = (content: string, ...sendTo: string[]): Message =>
  new UserMessage({ content, causeBy: RunCommand, sentFrom: 'Mike', sendTo });
const fromAlice = (content: string, ...sendTo: string[]): Message =>
  new AIMessage({ content, causeBy: RunCommand, sentFrom: 'Alice', sendTo }).withAgent('Alice(Engineer)');

const history = (environment: Environment): string[] =>
  environment.history.get().map((message) => message.content);

describe('a message without a reachable recipient', () => {
  it.each([
    ['without a leader', new Environment()],
    ['with a leader', team()],
  ])('A-237 %s reaches no role, is reported to the sender, and is in the history', (_, environment) => {
    if (environment.roles.length === 0) environment.addRole(new RoleZero({ name: 'Alice' }));
    const lost = fromUser('are you there?', 'Nobody');
    expect(environment.publishMessage(lost)).toEqual([]);
    expect(history(environment)).toEqual(['are you there?']);
    expect(environment.isIdle).toBe(true);
    expect(environment.inspect().deadLetters).toEqual([
      { message: lost.toData(), undeliverable: ['Nobody'] },
    ]);
  });

  it('reaches existing recipients, and reports the others as a dead letter', () => {
    const environment = team({ chat: 'private' });
    const message = fromLeader('hi', 'Alice', 'Nobody');
    expect(environment.publishMessage(message)).toEqual(['Alice']);
    expect(environment.inspect().deadLetters).toEqual([
      { message: message.toData(), undeliverable: ['Nobody'] },
    ]);
  });

  it('warns users when a role sent it', async () => {
    const reported: unknown[] = [];
    const environment = new Environment();
    const alice = new RoleZero({ name: 'Alice' });
    environment.addRole(alice, {
      ...standalone(),
      emit: (event) => {
        if (event.type === 'warning') reported.push([event.code, event.message, event.detail]);
      },
    });
    expect(alice.publishMessage(fromAlice('hello?', 'Carol'))).toEqual([]);
    expect(reported).toEqual([]); // It is not true before it is stored.
    alice.agent.putMessage(fromUser('go on', 'Alice'));
    await alice.work({ ...run, signal: AbortSignal.abort() });
    expect(reported).toEqual([
      [
        'dead-letter',
        'No role is named "Carol": the message from Alice was not delivered to them.',
        { sender: 'Alice', undeliverable: ['Carol'] },
      ],
    ]);
  });
});

describe('a role that does not process its messages (R-226)', () => {
  const crowd = (environment: Environment, name: string): void => {
    for (let count = 0; count < MAX_WAITING; count++)
      environment.getRole(name)?.agent.putMessage(fromUser('go', name));
  };

  it('R-226 accepts 1,000, rejects the next one, and drops none', () => {
    const environment = new Environment();
    const alice = new RoleZero({ name: 'Alice' });
    environment.addRole(alice);
    crowd(environment, 'Alice');
    expect(alice.agent.inbox.size).toBe(1_000);
    expect(() => alice.agent.putMessage(fromUser('one more', 'Alice'))).toThrow(
      expect.objectContaining({ code: 'inbox-full', detail: { role: 'Alice', waiting: 1_000 } }),
    );
    const late = fromUser('one more', 'Alice');
    expect(environment.publishMessage(late)).toEqual([]);
    expect(environment.inspect()).toEqual({
      messages: [
        {
          message: late.toData(),
          recipients: [],
          reactions: [
            {
              role: 'Alice',
              reacts: false,
              why: 'does not receive it: too many messages wait for it already',
            },
          ],
        },
      ],
      deadLetters: [{ message: late.toData(), undeliverable: ['Alice'] }],
    });
    expect(alice.agent.inbox.size).toBe(1_000);
  });

  it('R-226 counts pending messages, and accepts new ones after the role observed them', async () => {
    const environment = new Environment();
    environment.addRole(new RoleZero({ name: 'Alice' }));
    for (let count = 0; count < MAX_WAITING; count++) environment.route(fromUser(`go ${count}`, 'Alice'));
    expect(environment.route(fromUser('one more', 'Alice')).full).toEqual(['Alice']);

    const other = new Environment();
    other.addRole(new RoleZero({ name: 'Alice' }));
    crowd(other, 'Alice');
    await received(other, 'Alice');
    expect(other.publishMessage(fromUser('one more', 'Alice'))).toEqual(['Alice']);
  });

  it('R-226 delivers to the other recipients, and notifies the sender', async () => {
    const environment = team({ chat: 'private' });
    crowd(environment, 'Bob');
    expect(environment.publishMessage(fromLeader('hi', 'Alice', 'Bob'))).toEqual(['Alice']);
    expect(deadLetterWarning('Mike', { undeliverable: ['Carol', 'Bob'], full: ['Bob'] })).toMatchObject({
      code: 'dead-letter',
      message:
        'No role is named "Carol". Too many messages wait for "Bob" already: the message from Mike was not delivered to them.',
    });
  });
});

describe('a public environment with a leader', () => {
  it('A-239 delivers user messages to the leader; all roles store them, only the leader reacts', async () => {
    const environment = team();
    expect(environment.publishMessage(fromUser('hello'))).toEqual(['Mike', 'Alice', 'Bob']);
    expect(environment.inspect().messages.map(({ reactions }) => reactions)).toEqual([
      [
        { role: 'Mike', reacts: true, why: 'is addressed by name' },
        {
          role: 'Alice',
          reacts: false,
          why: 'only stores it: it is not addressed by name and does not watch for messages caused by UserRequirement',
        },
        {
          role: 'Bob',
          reacts: false,
          why: 'only stores it: it is not addressed by name and does not watch for messages caused by UserRequirement',
        },
      ],
    ]);
    for (const name of environment.roleNames)
      expect(await received(environment, name)).toEqual(['[Message] from User to Mike: hello']);
    expect(environment.roles.map((role) => role.agent.isResumable)).toEqual([true, false, false]);
  });

  it('A-244 delivers a message of the leader to one member; all others store it, except the leader', async () => {
    const environment = team();
    expect(environment.publishMessage(fromLeader('write it', 'Alice'))).toEqual(['Alice', 'Bob']);
    expect(await received(environment, 'Bob')).toEqual(['[Message] from Mike to Alice: write it']);
    expect(await received(environment, 'Mike')).toEqual([]);
  });

  it("A-244 the leader's own result is neither delivered nor in history", () => {
    const environment = team();
    expect(environment.publishMessage(fromLeader('finished', 'no one'))).toEqual([]);
    expect(
      environment.leader?.agent.behavior.publish(new AIMessage({ content: 'finished', causeBy: RunCommand })),
    ).toEqual([]);
    expect(history(environment)).toEqual([]);
    expect(environment.inspect()).toEqual({ messages: [], deadLetters: [] });
  });

  it('shares the direct answers of the leader with all roles', async () => {
    const environment = team();
    const answer = new AIMessage({ content: 'Forty-two.', causeBy: QUICK_THINK, sentFrom: 'Mike' });
    expect(environment.publishMessage(answer)).toEqual(['Alice', 'Bob']);
    expect(await received(environment, 'Alice')).toEqual(['[Message] from Mike to User: Forty-two.']);
  });

  it('sends the result of a member to the leader', async () => {
    const environment = team();
    expect(environment.publishMessage(fromAlice('finished'))).toEqual(['Mike', 'Bob']);
    expect(await received(environment, 'Mike')).toEqual(['[Message] from Alice(Engineer) to Mike: finished']);
    expect(environment.getRole('Mike')?.agent.isResumable).toBe(true);
  });

  it('A-246 stores each message once in the history, unchanged', () => {
    const environment = team();
    environment.publishMessage(fromUser('hello'));
    environment.publishMessage(fromLeader('write it', 'Alice'));
    environment.publishMessage(fromAlice('finished'));
    expect(history(environment)).toEqual(['hello', 'write it', 'finished']);
  });

  it('preserves the kind, the id and the structured content of a message', async () => {
    const environment = team();
    const message = fromAlice('finished');
    environment.publishMessage(message);
    await received(environment, 'Mike');
    const copy = environment.getRole('Mike')?.agent.memory.getByPosition(0);
    expect(copy).toBeInstanceOf(AIMessage);
    expect(copy?.id).toBe(message.id);
    expect([...(copy?.sendTo ?? [])]).toEqual(['<all>', 'Mike']);
  });
});

describe('a private environment with a leader', () => {
  it('A-240 delivers a message for Alice to Alice and the leader only', () => {
    expect(team({ chat: 'private' }).publishMessage(fromUser('hi', 'Alice'))).toEqual(['Mike', 'Alice']);
  });

  it('delivers messages without a recipient to the leader', () => {
    const environment = team({ chat: 'private' });
    expect(environment.publishMessage(fromUser('hello'))).toEqual(['Mike']);
    expect(environment.publishMessage(fromAlice('finished'))).toEqual(['Mike']);
    expect(
      environment.publishMessage(new AIMessage({ content: '42', causeBy: QUICK_THINK, sentFrom: 'Mike' })),
    ).toEqual([]);
    expect(environment.inspect().deadLetters).toEqual([]);
  });
});

describe('direct chat', () => {
  it('is between the user and the role; the answer does not start the leader', () => {
    const environment = team();
    expect(environment.publishMessage(fromUser('a word', 'Alice'), { direct: true })).toEqual([
      'Mike',
      'Alice',
      'Bob',
    ]);
    const [spoken] = environment.inspect().messages;
    expect(spoken?.reactions.filter(({ reacts }) => reacts)).toEqual([
      { role: 'Alice', reacts: true, why: 'is addressed by name, and answers the user directly' },
    ]);
    environment.publishMessage(fromAlice('here I am'));
    expect(
      environment
        .inspect()
        .messages.at(-1)
        ?.reactions.filter(({ reacts }) => reacts),
    ).toEqual([]);
    environment.publishMessage(fromAlice('and this is my work')); // After one answer, the routing is as before.
    expect(
      environment
        .inspect()
        .messages.at(-1)
        ?.reactions.filter(({ reacts }) => reacts),
    ).toEqual([{ role: 'Mike', reacts: true, why: 'is addressed by name' }]);
  });

  it('does not deliver it to others in a private environment', () => {
    const environment = team({ chat: 'private' });
    expect(environment.publishMessage(fromUser('a word', 'Alice'), { direct: true })).toEqual(['Alice']);
    expect(environment.publishMessage(fromAlice('here I am'))).toEqual([]);
    expect(environment.inspect().messages.at(-1)?.reactions[0]).toEqual({
      role: 'Mike',
      reacts: false,
      why: 'does not receive it: it is an answer to the user only',
    });
    expect(history(environment)).toEqual(['a word', 'here I am']);
  });

  it('A-242 a busy role is not marked: its answer goes through the leader', () => {
    const environment = team();
    environment.publishMessage(fromLeader('write it', 'Alice')); // Now Alice has a task.
    environment.publishMessage(fromUser('a word', 'Alice'), { direct: true });
    expect(
      environment
        .inspect()
        .messages.at(-1)
        ?.reactions.filter(({ reacts }) => reacts),
    ).toEqual([
      { role: 'Alice', reacts: true, why: 'is addressed by name, but is busy and processes it next' },
    ]);
    environment.publishMessage(fromAlice('finished'));
    expect(environment.inspect().messages.at(-1)?.reactions[0]).toEqual({
      role: 'Mike',
      reacts: true,
      why: 'is addressed by name',
    });
  });

  it('ends when the leader gives the role a task: then its answer goes through the leader', () => {
    const environment = team();
    environment.publishMessage(fromUser('a word', 'Alice'), { direct: true });
    environment.publishMessage(fromLeader('write it', 'Alice'));
    environment.publishMessage(fromAlice('finished'));
    expect(environment.inspect().messages.at(-1)?.reactions[0]).toEqual({
      role: 'Mike',
      reacts: true,
      why: 'is addressed by name',
    });
  });

  it('A-243 rejects an unknown name, and continues as before', () => {
    const environment = team();
    expect(() => environment.publishMessage(fromUser('a word', 'Carol'), { direct: true })).toThrow(
      new RoleZeroError('not-found', 'There is no role named Carol here. The roles are Mike, Alice, Bob.', {
        names: ['Carol'],
        roles: ['Mike', 'Alice', 'Bob'],
      }),
    );
    expect(history(environment)).toEqual([]);
    expect(environment.publishMessage(fromUser('a word', 'Alice'), { direct: true })).toContain('Alice');
  });

  it('with the leader is the normal case', () => {
    const environment = team();
    environment.publishMessage(fromUser('a word', 'Mike'), { direct: true });
    environment.publishMessage(fromLeader('write it', 'Alice'));
    expect(environment.inspect().messages.at(-1)?.recipients).toEqual(['Alice', 'Bob']);
  });
});

describe('A-247 an environment without a leader', () => {
  it('delivers to all, or to the recipients of a message', async () => {
    const environment = new Environment();
    for (const name of ['Ann', 'Bob']) environment.addRole(new RoleZero({ name }));
    expect(environment.publishMessage(fromUser('all of you'))).toEqual(['Ann', 'Bob']);
    expect(environment.publishMessage(fromUser('only you', 'Bob'))).toEqual(['Bob']);
    expect(await received(environment, 'Ann')).toEqual(['all of you']);
    expect(await received(environment, 'Bob')).toEqual(['all of you', 'only you']);
  });

  it('accepts a leader of any name and any role', async () => {
    class Boss extends Role {
      static override readonly id = 'Boss';
    }
    const environment = team({}, new Boss({ name: 'Grace', actions: [Action] }));
    expect(environment.publishMessage(fromUser('hello', 'Alice'))).toEqual(['Grace', 'Alice', 'Bob']);
    expect(await received(environment, 'Bob')).toEqual(['[Message] from User to Alice, Grace: hello']);
  });
});

describe('sending the same message twice (R-025)', () => {
  it('is reported once, until the role receives a message', () => {
    const environment = team();
    expect(environment.publishMessage(fromAlice('finished'))).toEqual(['Mike', 'Bob']);
    expect(environment.publishMessage(fromAlice('finished'))).toEqual([]);
    expect(history(environment)).toEqual(['finished']);
    environment.publishMessage(fromLeader('the next task', 'Alice'));
    expect(environment.publishMessage(fromAlice('finished'))).toEqual(['Mike', 'Bob']);
  });

  it('is allowed for users', () => {
    const environment = team();
    expect(environment.publishMessage(fromUser('yes'))).toHaveLength(3);
    expect(environment.publishMessage(fromUser('yes'))).toHaveLength(3);
  });
});

describe('names', () => {
  it.each(['', '<all>', '<self>', '<none>', 'no one', 'User'])('%j is no name for a role', (name) => {
    expect(() => new Environment().addRole(new Role({ name }))).toThrow(
      expect.objectContaining({ code: 'invalid' }) as Error,
    );
  });

  it('delivers a message to its recipients and never to its sender, for any names', () => {
    const name = fc.constantFrom('Ann', 'Bob/1', 'a b', 'Ünal', '[x]', 'Mike');
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 1 }),
        name,
        fc.array(name, { minLength: 1 }),
        fc.option(fc.constantFrom<'public' | 'private'>('public', 'private')),
        (names, sentFrom, sendTo, chat) => {
          const roles = names.map((each) => new RoleZero({ name: each }));
          const environment = new Environment(chat === null ? {} : { leader: roles[0] as RoleZero, chat });
          for (const role of roles) environment.addRole(role);
          const got = environment.publishMessage(new UserMessage({ content: 'x', sentFrom, sendTo }));
          const known = sendTo.filter((each) => names.includes(each));
          expect(got).toEqual(expect.arrayContaining(known));
          if (!sendTo.includes(sentFrom)) expect(got).not.toContain(sentFrom);
          if (known.length === 0) expect(got).toEqual([]);
        },
      ),
    );
  });
});

it('keeps the newest 500 messages and forgets the oldest', () => {
  const environment = new Environment();
  environment.addRole(new RoleZero({ name: 'Ann' }));
  for (let number = 0; number < 503; number++) environment.publishMessage(fromUser(`message ${number}`));
  const { messages } = environment.inspect();
  expect([messages.length, messages[0]?.message.content]).toEqual([500, 'message 3']);
  expect([environment.history.count(), history(environment)[0]]).toEqual([500, 'message 3']);
});

it('shows a long message shortened', () => {
  const environment = new Environment();
  environment.addRole(new RoleZero({ name: 'Ann' }));
  environment.publishMessage(fromUser('x'.repeat(10_000)));
  expect(environment.inspect().messages[0]?.message.content).toBe(
    `${'x'.repeat(2_000)}… 8000 characters more`,
  );
});

it('a role that waits for a user does not block the others', async () => {
  const answers = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);
  const ask = commands(['RoleZero.ask_human', { question: 'which?' }]);
  const environment = new Environment();
  const human = { ask: async () => null, forget: () => {} };
  for (const [name, reply] of [
    ['Ann', ask],
    ['Bob', answers],
  ] as const) {
    environment.addRole(new RoleZero({ name, model: scriptedModel({ think: [reply] }) }), {
      ...standalone(),
      human,
    });
  }
  environment.publishMessage(fromLeader('both of you', 'Ann', 'Bob'));
  expect((await environment.run(run))?.status).toBe('waiting');
  expect(environment.roles.map(({ agent }) => [agent.isResumable, agent.outcome?.status])).toEqual([
    [true, 'waiting'],
    [false, 'done'],
  ]);
});
