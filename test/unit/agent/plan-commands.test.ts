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
  const { memory, plan } = await runRole(new RoleZero({ model }), 'go');
  const tasks = plan.tasks.map(({ taskId, dependentTaskIds, instruction }) => [
    taskId,
    dependentTaskIds,
    instruction,
  ]);
  return { observed: memory[think.length * 2]?.content ?? '', tasks };
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

  it('R-134 rejects a used id, and names the command that replaces a task', async () => {
    const { observed, tasks } = await planned([append('1')], [append('1', [], 'something else')]);
    expect(tasks).toEqual([['1', [], 'do']]);
    expect(observed).toContain('There is already a task 1. Use Plan.replace_task to change it');
  });

  it('R-159 finishes a task that has no result, also by the old name of the command', async () => {
    const model = scriptedModel({ think: [commands(append('1'), ['finish_current_task', {}]), ending] });
    const { plan, outcome } = await runRole(new RoleZero({ model }), 'go');
    expect([plan.tasks.map(({ isFinished }) => isFinished), outcome.status]).toEqual([[true], 'done']);
  });

  it('R-112 act on the current plan, also after a new request', async () => {
    const model = scriptedModel({
      think: [
        commands(append('1', [], 'first'), ['Plan.finish_current_task', {}], ['end', {}]),
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
