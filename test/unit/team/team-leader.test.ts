import { describe, expect, it } from 'vitest';
import { TeamLeader } from '../../../src/team/team-leader.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { commands, runTeam, scriptedModel, type Script } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

const reply = (content: string) => ['RoleZero.reply_to_human', { content }] as const;
const end = ['end', {}] as const;
const task = (task_id: string, assignee: string, ...dependent_task_ids: string[]) =>
  ['Plan.append_task', { task_id, dependent_task_ids, instruction: `task ${task_id}`, assignee }] as const;
const publish = (content: string, send_to: string | string[], name = 'TeamLeader.publish_team_message') =>
  [name, { content, send_to }] as const;

function alice(script: Script): RoleZero {
  return new RoleZero({
    callPlan: 'classic',
    name: 'Alice',
    profile: 'Engineer',
    model: scriptedModel(script),
    tools: editor(),
  });
}

describe('a team leader ', () => {
  it('A-249 thinks at most three times and writes no summary', async () => {
    const again = (path: string) => commands(['Editor.write', { path, content: 'x' }]);
    const model = scriptedModel({ think: [again('/1'), again('/2'), again('/3')] });
    const leader = new TeamLeader({ callPlan: 'classic', model, tools: editor() });
    expect([leader.name, leader.profile, leader.maxSteps, leader.settings.summarize]).toEqual([
      'Mike',
      'Team Leader',
      3,
      false,
    ]);
    const result = await runTeam({ leader, roles: [] }, 'go');
    expect(result.outcome.status).toBe('exhausted');
    expect(model.requests.map(({ purpose }) => purpose)).toEqual([
      'classify',
      'language',
      'think',
      'think',
      'think',
    ]);
  });

  it.each([
    'TeamLeader.publish_team_message',
    'TeamLeader.publish_message',
    'publish_team_message',
    'publish_message',
  ])('A-249 waits after the batch in which it used %s', async (name) => {
    const model = scriptedModel({
      think: [commands(publish('write it', 'Alice', name), reply('Alice does it.')), commands(end)],
    });
    const team = {
      leader: new TeamLeader({ callPlan: 'classic', model }),
      roles: [alice({ think: [commands(reply('written'), end)] })],
    };
    const { roles, human, outcome } = await runTeam(team, 'go');
    expect(model.leftovers()).toEqual([]);
    expect(human.replies).toEqual(['Alice does it.', 'written', 'report']);
    expect(outcome).toEqual({ status: 'done', summary: 'report', error: null });
    expect(roles['Mike']?.memory.map(({ content }) => content)).toEqual([
      '[Message] from User to Mike: go',
      commands(publish('write it', 'Alice', name), reply('Alice does it.')),
      expect.stringMatching(/^Command \S+ executed: Sent to Alice. You will be called/),
      '[Message] from Alice(Engineer) to Mike: I have finished the task, please mark my task as finished. Outputs: Command RoleZero.reply_to_human executed: SUCCESS, the user received your reply. Do not send it again. If nothing is left to do, use the command end.\n\nCommand end executed:summary',
      commands(end),
      'report',
      expect.stringMatching(/^Command end executed:/),
    ]);
  });

  it('A-244 ignores messages to itself, and does not wait', async () => {
    const model = scriptedModel({ think: [commands(publish('note', 'Mike')), commands(reply('ok'), end)] });
    const team = { leader: new TeamLeader({ model }), roles: [alice([])] };
    const { inspection, outcome, roles } = await runTeam(team, 'go');
    expect(outcome).toEqual({ status: 'done', summary: 'ok', error: null });
    expect(inspection.messages.map(({ message }) => message.content)).toEqual(['go']);
    expect(roles['Mike']?.memory[2]?.content).toBe(
      'Command TeamLeader.publish_team_message executed: Ignored: a message to yourself goes nowhere. The team members are Alice.',
    );
  });

  it('reports an unknown recipient to the leader, which can correct itself', async () => {
    const model = scriptedModel({
      think: [commands(publish('write', 'Alicia')), commands(reply('sorry'), end)],
    });
    const team = { leader: new TeamLeader({ model }), roles: [alice([])] };
    const { inspection, events, roles } = await runTeam(team, 'go');
    expect(roles['Mike']?.memory[2]?.content).toBe(
      'Command TeamLeader.publish_team_message executed: No member is named Alicia. The message was not delivered. The team members are Alice.',
    );
    expect(inspection.deadLetters).toMatchObject([
      { message: { content: 'write', sentFrom: 'Mike', sendTo: ['Alicia'] }, undeliverable: ['Alicia'] },
    ]);
    expect(events.filter(({ type }) => type === 'warning')).toMatchObject([{ code: 'dead-letter' }]);
  });

  it('can write to several members at once, and does not repeat a message while it waits', async () => {
    const twice = commands(publish('look', ['Alice', 'Bob']), publish('look', ['Alice', 'Bob']));
    const done = commands(reply('seen'), end);
    const bob = new RoleZero({ name: 'Bob', model: scriptedModel({ think: done }) });
    const leader = new TeamLeader({ model: scriptedModel({ think: [twice, done, done] }) });
    const { inspection, roles } = await runTeam({ leader, roles: [alice({ think: done }), bob] }, 'go');
    expect(
      inspection.messages.map(({ message, recipients }) => [
        message.sentFrom,
        message.content.slice(0, 20),
        recipients,
      ]),
    ).toEqual([
      ['User', 'go', ['Mike', 'Alice', 'Bob']],
      ['Mike', 'look', ['Alice', 'Bob']],
      ['Alice', 'I have finished the ', ['Mike', 'Bob']],
      ['Bob', 'I have finished the ', ['Mike', 'Alice']],
    ]);
    expect(roles['Mike']?.memory[2]?.content).toContain('Not sent: this is the message you sent last');
  });

  it('lists the team members for the model, in the same words in every step', async () => {
    const model = scriptedModel({
      think: [commands(task('1', 'Alice'), publish('write', 'Alice')), commands(end)],
    });
    const member = alice({ think: [commands(reply('written'), end)] });
    await runTeam(
      { leader: new TeamLeader({ model, name: 'Grace', profile: 'Boss' }), roles: [member] },
      'go',
    );
    const systems = model.requests.map(({ messages }) => messages[0]?.content);
    expect(new Set(systems).size).toBe(1);
    expect(systems[0]).toContain(
      'Your team:\n- Grace (you): Boss, lead the team to what the user asks for\n- Alice: Engineer\n',
    );
  });

  it('answers trivial requests at once, visible to all roles', async () => {
    const leader = new TeamLeader({
      model: scriptedModel({ classify: 'Response Category: QUICK', quick: 'Forty-two.' }),
    });
    const { outcome, roles, human } = await runTeam({ leader, roles: [alice([])] }, 'what is six by seven?');
    expect(outcome).toEqual({ status: 'done', summary: 'Forty-two.', error: null });
    expect(human.replies).toEqual(['Forty-two.']);
    expect(roles['Alice']?.memory.map(({ content }) => content)).toEqual([
      '[Message] from User to Mike: what is six by seven?',
      '[Message] from Mike(Team Leader) to User: Forty-two.',
    ]);
  });

  it('A-248 plans, delegates, waits, finishes the task, and then the team is idle', async () => {
    const leader = scriptedModel({
      think: [
        commands(task('1', 'Alice'), publish('write /a.txt', 'Alice'), reply('Alice writes it.'), end),
        commands(['Plan.finish_current_task', {}], reply('All done: /a.txt'), end),
      ],
    });
    const member = scriptedModel({
      think: [
        commands(['Editor.write', { path: '/a.txt', content: 'hello' }]),
        commands(reply('I wrote /a.txt.'), end),
      ],
    });
    const team = {
      leader: new TeamLeader({ callPlan: 'classic', model: leader }),
      roles: [
        new RoleZero({
          callPlan: 'classic',
          name: 'Alice',
          profile: 'Engineer',
          model: member,
          tools: editor(),
        }),
      ],
    };
    const { outcome, roles, human, files, inspection } = await runTeam(team, 'write hello');
    expect(outcome).toEqual({ status: 'done', summary: 'All done: /a.txt', error: null });
    expect([...leader.leftovers(), ...member.leftovers()]).toEqual([]);
    expect(leader.requests.map(({ purpose }) => purpose)).toEqual(['classify', 'language', 'think', 'think']);
    expect(member.requests.map(({ purpose }) => purpose)).toEqual(['language', 'think', 'think', 'summary']);
    expect(human.replies).toEqual(['Alice writes it.', 'I wrote /a.txt.', 'All done: /a.txt']);
    expect(files).toEqual({ '/a.txt': 'hello' });
    const reported = leader.requests.at(-1)?.messages.at(-1)?.content as string;
    expect(reported.match(/\[Message\] from [^:]*/g)).toEqual(['[Message] from Alice(Engineer) to Mike']);
    expect(roles['Mike']?.plan).toEqual({
      goal: 'write hello',
      currentTaskId: '',
      tasks: [
        {
          taskId: '1',
          dependentTaskIds: [],
          instruction: 'task 1',
          taskType: '',
          assignee: 'Alice',
          isFinished: true,
        },
      ],
    });
    expect(roles['Alice']?.plan.goal).toBe('write /a.txt');
    expect(
      inspection.messages.map(({ message, recipients, reactions }) => [
        message.sentFrom,
        recipients,
        reactions.filter(({ reacts }) => reacts).map(({ role }) => role),
      ]),
    ).toEqual([
      ['User', ['Mike', 'Alice'], ['Mike']],
      ['Mike', ['Alice'], ['Alice']],
      ['Alice', ['Mike'], ['Mike']],
    ]);
  });
});

describe('unfinished tasks when a team becomes idle (R-024)', () => {
  const half = [
    commands(task('1', 'Alice'), task('2', 'Bob', '1'), publish('write', 'Alice'), reply('Alice is at it.')),
    commands(['Plan.finish_current_task', {}], reply('One is done.'), end),
  ];
  const rest = [
    commands(publish('review', 'Bob')),
    commands(['Plan.finish_current_task', {}], reply('All done.'), end),
  ];
  const done = commands(reply('done'), end);

  it('are reported by task and assignee, and the work can be continued', async () => {
    const leader = new TeamLeader({ model: scriptedModel({ think: [...half, ...rest] }) });
    const bob = new RoleZero({ name: 'Bob', model: scriptedModel({ think: [done] }) });
    const team = { leader, roles: [alice({ think: [done] }), bob] };
    expect((await runTeam(team, 'make it')).outcome).toEqual({
      status: 'exhausted',
      summary: 'One is done.\n\nNot finished: task 2 (Bob): task 2. The work can be continued.',
      error: null,
    });
    const second = await runTeam(team, 'go on');
    expect(second.outcome).toEqual({ status: 'done', summary: 'All done.', error: null });
    expect(second.roles['Mike']?.plan.tasks.map(({ isFinished }) => isFinished)).toEqual([true, true]);
  });

  it('are not reported for a question that was answered at once', async () => {
    const model = scriptedModel({
      classify: ['Response Category: TASK', 'Response Category: QUICK'],
      quick: 'It is noon.',
      think: half,
    });
    const team = {
      leader: new TeamLeader({ callPlan: 'classic', model }),
      roles: [alice({ think: [done] })],
    };
    expect((await runTeam(team, 'make it')).outcome.status).toBe('exhausted');
    expect((await runTeam(team, 'what time is it?')).outcome).toEqual({
      status: 'done',
      summary: 'It is noon.',
      error: null,
    });
  });
});

describe('direct chat with a team member', () => {
  it('directly: it answers, and the leader only stores the answer', async () => {
    const model = scriptedModel([]);
    const done = commands(reply('Two files.'), end);
    const team = {
      leader: new TeamLeader({ callPlan: 'classic', model }),
      roles: [alice({ think: [done] })],
    };
    const { outcome, human, roles } = await runTeam(team, 'how many files?', { to: 'Alice' });
    expect(outcome).toEqual({ status: 'done', summary: 'summary', error: null });
    expect(human.replies).toEqual(['Two files.']);
    expect(model.requests).toEqual([]);
    expect(roles['Mike']?.memory.map(({ content }) => content.slice(0, 50))).toEqual([
      '[Message] from User to Alice: how many files?',
      '[Message] from Alice(Engineer) to User: I have fin',
    ]);
  });

  it('A-243 rejects an unknown member, and the team continues', async () => {
    const leader = new TeamLeader({ model: scriptedModel({ think: [commands(reply('hello'), end)] }) });
    const team = { leader, roles: [alice([])] };
    await expect(runTeam(team, 'hi', { to: 'Carol' })).rejects.toMatchObject({
      code: 'not-found',
      message: 'There is no role named "Carol" in this session. The roles are Mike, Alice.',
    });
    expect((await runTeam(team, 'go on')).outcome).toEqual({ status: 'done', summary: 'hello', error: null });
  });

  it('A-247 sends requests to the first or the named role without a leader', async () => {
    const done = (text: string) => ({ think: [commands(reply(text), end)] });
    const bob = new RoleZero({ callPlan: 'classic', name: 'Bob', model: scriptedModel(done('I am Bob.')) });
    const team = { roles: [alice(done('I am Alice.')), bob] };
    const first = await runTeam(team, 'who are you?');
    expect(first.human.replies).toEqual(['I am Alice.']);
    expect(first.roles['Alice']?.memory[0]?.content).toBe('who are you?');
    const second = await runTeam(team, 'and you?', { to: 'Bob' });
    expect(second.human.replies).toEqual(['I am Bob.']);
    expect(second.outcome).toEqual({ status: 'done', summary: 'summary', error: null });
  });
});
