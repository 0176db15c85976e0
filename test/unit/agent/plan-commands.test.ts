import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/core/json.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';

type CommandSpec = readonly [string, Record<string, JsonValue>];
const ending = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);
const append = (
  task_id: JsonValue,
  dependent_task_ids: JsonValue[] = [],
  instruction = 'do',
): CommandSpec => ['Plan.append_task', { task_id, dependent_task_ids, instruction, assignee: 'Zero' }];
const replace = (task_id: JsonValue, new_dependent_task_ids: JsonValue[]): CommandSpec => [
  'Plan.replace_task',
  { task_id, new_dependent_task_ids, new_instruction: 'anew', new_assignee: 'Zero' },
];

/** What a role with these replies receives, and its plan afterwards. */
async function planned(...think: CommandSpec[][]) {
  const model = scriptedModel({ think: [...think.map((each) => commands(...each)), ending] });
  const { memory, plan } = await runRole(new RoleZero({ model }), 'go', { answers: think.map(() => 'yes') });
  const finished = plan.tasks.map(({ isFinished }) => isFinished);
  const tasks = plan.tasks.map(({ taskId, dependentTaskIds, instruction }) => [
    taskId,
    dependentTaskIds,
    instruction,
  ]);
  return { observed: memory[think.length * 2]?.content ?? '', tasks, finished };
}

describe('commands on the plan', () => {
  it('R-132 take ids written as numbers', async () => {
    const { observed, tasks } = await planned([
      append(1),
      append(2, [1]),
      ['Plan.reset_task', { task_id: 1 }],
    ]);
    expect(tasks).toEqual([
      ['1', [], 'do'],
      ['2', ['1'], 'do'],
    ]);
    expect(observed).toContain('Command Plan.reset_task executed');
  });

  it('R-133 rejects cycles and unknown dependencies by id, and changes nothing', async () => {
    const before = [append('1'), append('2', ['1'])];
    const stored = [
      ['1', [], 'do'],
      ['2', ['1'], 'do'],
    ];
    const circle = await planned(before, [replace('1', ['2'])]);
    expect([circle.tasks, circle.observed]).toEqual([
      stored,
      expect.stringMatching(/executed: .*\b1\b.*\b2\b/s),
    ]);
    const missing = await planned(before, [replace('2', ['9'])]);
    expect([missing.tasks, missing.observed]).toEqual([stored, expect.stringContaining('9')]);
    const self = await planned(before, [append('3', ['3'])]);
    expect([self.tasks, self.observed]).toEqual([stored, expect.stringContaining('3')]);
  });

  it('R-134 rejects a used id, and leads to the work', async () => {
    const { observed, tasks } = await planned([append('1')], [append('1', [], 'something else')]);
    expect(tasks).toEqual([['1', [], 'do']]);
    expect(observed).toContain(
      'There is already a task 1. It is the current task: work on it. Other work needs a new task_id.',
    );
    const later = await planned([append('1'), append('2', ['1'])], [append('2', ['1'])]);
    expect(later.observed).toContain('There is already a task 2. The current task is 1: work on it.');
  });

  it('lead to the work when a task is replaced that does not exist, or with an equal one', async () => {
    const none = await planned([replace('1', [])]);
    expect(none.observed).toContain(
      'There is no task 1 to replace. The plan has no tasks: work on the request, or use Plan.append_task.',
    );
    const unknown = await planned([append('1')], [replace('2', [])]);
    expect(unknown.observed).toContain('Known task ids are 1. The current task is 1: work on it.');
    const itself = await planned(
      [append('1', [], 'again')],
      [
        [
          'Plan.replace_task',
          {
            task_id: '1',
            new_dependent_task_ids: [],
            new_instruction: 'again',
            new_assignee: 'Zero',
          },
        ],
      ],
    );
    expect(itself.observed).toContain(
      'Nothing changed, the plan has exactly this task. It is the current task: work on it.',
    );
  });

  it('answer the finishing of a task without any work with that fact, once', async () => {
    const finish: CommandSpec = ['Plan.finish_current_task', {}];
    const fact =
      'Not finished: no other command has succeeded since task 1 became the current one. Work on it, or give the same command again if there is nothing to do for it.';
    const { observed, finished } = await planned([append('1')], [finish]);
    expect([observed, finished]).toEqual([expect.stringContaining(fact), [false]]);
    expect((await planned([append('1')], [finish], [finish])).finished).toEqual([true]);
    expect((await planned([append('1'), finish])).observed).toContain(fact);
  });

  it('finish a task that was worked on: before in the same reply, since it became the current one, or by another role', async () => {
    const finish: CommandSpec = ['Plan.finish_current_task', {}];
    const work: CommandSpec = ['RoleZero.ask_human', { question: 'Is it right?' }];
    expect((await planned([append('1'), append('2'), work, finish, finish])).finished).toEqual([true, true]);
    expect((await planned([append('1')], [work], [finish])).finished).toEqual([true]);
    const other: CommandSpec = ['Plan.append_task', { ...append('1')[1], assignee: 'Alex' }];
    expect((await planned([other], [finish])).finished).toEqual([true]);
    const second = await planned([append('1'), append('2'), work], [finish], [finish, work]);
    expect([second.finished, second.observed]).toEqual([
      [true, false],
      expect.stringContaining('since task 2 became the current one'),
    ]);
  });

  it('say when there is nothing to finish', async () => {
    const finish: CommandSpec = ['Plan.finish_current_task', {}];
    expect((await planned([finish])).observed).toContain('The plan has no tasks: what is asked for');
    const work: CommandSpec = ['RoleZero.ask_human', { question: 'Is it right?' }];
    expect((await planned([append('1'), work, finish], [finish])).observed).toContain(
      'There was no open task.',
    );
  });

  it('R-159 finishes a task that has no result, also by the old name of the command', async () => {
    const finish = commands(['finish_current_task', {}]);
    const model = scriptedModel({ think: [commands(append('1')), finish, finish, ending] });
    const { plan, outcome } = await runRole(new RoleZero({ model }), 'go');
    expect([plan.tasks.map(({ isFinished }) => isFinished), outcome.status]).toEqual([[true], 'done']);
  });

  it('R-112 act on the current plan, also after a new request', async () => {
    const model = scriptedModel({
      think: [
        commands(append('1', [], 'first'), ['RoleZero.reply_to_human', { content: 'Done.' }]),
        commands(['Plan.finish_current_task', {}], ['end', {}]),
        commands(append('1', [], 'second'), ['end', {}]),
      ],
    });
    const role = new RoleZero({ model });
    await runRole(role, 'one');
    const { plan } = await runRole(role, 'two');
    expect([plan.goal, plan.tasks.map(({ instruction, isFinished }) => [instruction, isFinished])]).toEqual([
      'two',
      [['second', false]],
    ]);
  });
});
