import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { defineTool } from '../../../src/core/define-tool.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { prepareCommandPrompt, THINKING_COMMANDS, ThinkingRole } from '../../../src/metagpt/thinking-role.js';
import { ToolRecommender } from '../../../src/tools/recommend.js';
import { commands, runRole, runTeam, scriptedModel } from '../../../src/testing/index.js';

const TASK = { task_id: '1', dependent_task_ids: [] as string[], instruction: 'write', assignee: 'Tim' };
const APPEND: [string, typeof TASK] = ['append_task', TASK];

describe('the older command set ', () => {
  it('A-268 has exactly eight commands, which the prompt lists with number, signature and description', async () => {
    expect(THINKING_COMMANDS.map(({ name }) => name)).toEqual([
      'append_task',
      'reset_task',
      'replace_task',
      'finish_current_task',
      'publish_message',
      'reply_to_human',
      'ask_human',
      'pass',
    ]);
    const list = prepareCommandPrompt();
    expect(list.match(/^\d+\. \w+\(.*\):$/gm)).toEqual(
      THINKING_COMMANDS.map(({ signature }, index) => `${index + 1}. ${signature}:`),
    );
    for (const [index, { signature, description }] of THINKING_COMMANDS.entries())
      expect(list).toContain(`${index + 1}. ${signature}:\n${description}\n\n`);
    const { requests } = await runRole(
      new ThinkingRole({ name: 'Tim', model: scriptedModel({ think: [commands(['pass', {}])] }) }),
      'plan it',
    );
    expect(requests[0]?.messages[0]?.content).toContain(list.trim());
    expect(requests[0]?.messages[0]?.content).not.toContain('Plan.append_task","');
  });

  it('A-270 skips an unknown command, and ends the turn when its plan is finished', async () => {
    const model = scriptedModel({
      think: [
        commands(APPEND, ['sing', { song: 'x' }]),
        commands(['sing', {}], ['reply_to_human', { content: 'written' }], ['finish_current_task', {}]),
      ],
    });
    const role = new ThinkingRole({ name: 'Tim', model });
    const { outcome, plan, memory, human } = await runRole(role, 'plan it');
    expect(outcome.status).toBe('done');
    expect(plan.tasks.map(({ isFinished }) => isFinished)).toEqual([true]);
    expect(human.replies).toEqual(['written']);
    expect(memory.map(({ content }) => content).join('\n')).not.toContain('not found');
    expect(role.agent.isIdle).toBe(true);
    expect(model.leftovers()).toEqual([]);
  });

  it('runs all eight through the same registry', async () => {
    const model = scriptedModel({
      think: [
        commands(APPEND, ['append_task', { ...TASK, task_id: '2', dependent_task_ids: ['1'] }]),
        commands(
          ['pass', {}],
          ['finish_current_task', {}],
          ['reset_task', { task_id: '1' }],
          [
            'replace_task',
            { task_id: '1', new_dependent_task_ids: [], new_instruction: 'draw', new_assignee: 'Ann' },
          ],
          ['ask_human', { question: 'Which color?' }],
          ['reply_to_human', { content: 'hello' }],
        ),
        commands(['publish_message', { content: 'Your turn.', send_to: 'Ann' }], ['finish_current_task', {}]),
        commands(['pass', {}], ['finish_current_task', {}]),
      ],
    });
    const ann = new RoleZero({
      name: 'Ann',
      model: scriptedModel({
        think: [commands(['RoleZero.reply_to_human', { content: 'mine' }], ['end', {}])],
      }),
    });
    const result = await runTeam({ roles: [new ThinkingRole({ name: 'Tim', model }), ann] }, 'plan it', {
      answers: ['blue'],
    });
    const texts = result.roles['Tim']?.memory.map(({ content }) => content).join('\n') ?? '';
    expect(texts).not.toMatch(/not found|Invalid arguments/);
    expect(texts).toContain('Human response: blue');
    expect(texts).toContain('Command publish_message executed: Sent to Ann.');
    expect(
      result.roles['Tim']?.plan.tasks.map(({ instruction, isFinished }) => [instruction, isFinished]),
    ).toEqual([
      ['draw', true],
      ['write', true],
    ]);
    expect(result.human).toEqual({ questions: ['Which color?'], replies: ['hello', 'mine'] });
  });

  it('lists tools of the application too, and reports a message without a recipient', async () => {
    const count = defineTool({ name: 'Count.up', description: 'Counts.', input: z.object({}), run: () => 1 });
    const model = scriptedModel({
      think: [
        commands(APPEND, ['Count.up', {}], ['publish_message', { content: 'x', send_to: 'Nobody' }]),
        commands(['finish_current_task', {}]),
      ],
    });
    const { requests, memory } = await runRole(
      new ThinkingRole({ name: 'Tim', model, tools: [count] }),
      'count',
    );
    expect(requests[0]?.messages[0]?.content).toContain('{"Count.up":{"description":"Counts."');
    expect(memory.map(({ content }) => content).join('\n')).toContain(
      'Command Count.up executed: 1\n\nCommand publish_message executed: No role is named Nobody',
    );
  });
});

describe('many tools (R-140)', () => {
  const tool = (name: string, description: string) =>
    defineTool({ name, description, input: z.object({}), run: () => name });
  const tools = [
    tool('Image.draw', 'Draws a picture of what is described.'),
    tool('Mail.send', 'Sends a mail to a user.'),
    tool('Table.sum', 'Sums the columns of a table of numbers.'),
  ];

  it('shows only those that fit the request, allows all, and does not change the prompt during a turn', async () => {
    const model = scriptedModel({
      think: [
        commands(['Table.sum', {}]),
        commands(['Mail.send', {}]),
        commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]),
      ],
    });
    const role = new RoleZero({
      model,
      tools,
      toolRecommender: (registry) => {
        const recommender = new ToolRecommender(registry, { core: ['Plan', 'RoleZero', 'end'] });
        return { recommend: (request) => recommender.recommend({ ...request, topk: 1 }) };
      },
    });
    const { requests, memory } = await runRole(role, 'Sum up the numbers of the table');
    const prompts = new Set(requests.map(({ messages }) => messages[0]?.content));
    expect(prompts.size).toBe(1);
    const [prompt] = prompts;
    expect(prompt).toContain('"Table.sum"');
    expect(prompt).toContain('"Plan.append_task"');
    expect(prompt).not.toContain('Image.draw');
    expect(memory.map(({ content }) => content)).toContain('Command Mail.send executed: Mail.send');
  });

  it('shows all and a warning when the recommender fails', async () => {
    const model = scriptedModel({
      think: [commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}])],
    });
    const recommend = (): Promise<never> => Promise.reject(new Error('no index'));
    const { requests, events, outcome } = await runRole(
      new RoleZero({ model, tools, toolRecommender: () => ({ recommend }) }),
      'Sum up',
    );
    expect(outcome.status).toBe('done');
    expect(requests[0]?.messages[0]?.content).toContain('Image.draw');
    expect(events.find(({ type }) => type === 'warning')).toMatchObject({ detail: { reason: 'no index' } });
  });
});
