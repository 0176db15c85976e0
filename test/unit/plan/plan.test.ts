import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import { Plan } from '../../../src/plan/plan.js';
import { Task, type TaskInit } from '../../../src/plan/task.js';

const ids = (plan: Plan) => plan.tasks.map((task) => task.taskId);
const task = (taskId: string, dependentTaskIds: string[] = [], more: TaskInit = {}) =>
  new Task({ taskId, dependentTaskIds, instruction: `do ${taskId}`, ...more });

/** Returns the error of a call, after checking that the plan is unchanged. */
function refusal(plan: Plan, call: () => void): string {
  const before = plan.toData();
  let error: unknown;
  try {
    call();
  } catch (thrown) {
    error = thrown;
  }
  expect(plan.toData()).toEqual(before);
  if (!(error instanceof RoleZeroError)) throw new Error('was not rejected');
  expect(error.code).toBe('invalid');
  return error.message;
}

describe('adding a list of tasks', () => {
  test('A-131 orders dependencies first, and the first task is current', () => {
    const plan = new Plan('goal');
    plan.addTasks([task('1', ['2', '3']), task('2'), task('3', ['2'])]);
    expect(ids(plan)).toEqual(['2', '3', '1']);
    expect(plan.currentTaskId).toBe('2');
  });

  test('A-132 a list that differs from its first task on replaces the plan', () => {
    const plan = new Plan('goal');
    plan.addTasks([task('2'), task('3', [], { isFinished: true }), task('1')]);
    plan.addTasks([new Task({ taskId: '3', instruction: 'something else' })]);
    expect(plan.toData().tasks).toEqual([new Task({ taskId: '3', instruction: 'something else' }).toData()]);
    expect(plan.currentTaskId).toBe('3');
  });

  test('keeps the progress of unchanged tasks at the beginning', () => {
    const plan = new Plan('goal');
    plan.addTasks([task('1'), task('2', ['1']), task('3', ['2'])]);
    plan.finishCurrentTask();
    plan.finishCurrentTask();
    plan.addTasks([task('1'), new Task({ taskId: '2', dependentTaskIds: ['1'], instruction: 'new' })]);
    expect(
      plan.tasks.map(({ taskId, instruction, isFinished }) => [taskId, instruction, isFinished]),
    ).toEqual([
      ['1', 'do 1', true],
      ['2', 'new', false],
    ]);
  });

  test('keeps the listed order of independent prerequisites', () => {
    const plan = new Plan('goal');
    plan.addTasks([task('last', ['c', 'a', 'b']), task('a'), task('b'), task('c')]);
    expect(ids(plan)).toEqual(['a', 'b', 'c', 'last']);
  });

  test('does nothing for an empty list', () => {
    let changes = 0;
    const plan = new Plan('goal', { onChange: () => (changes += 1) });
    plan.addTasks([task('1')]);
    plan.addTasks([]);
    expect([ids(plan), changes]).toEqual([['1'], 1]);
  });

  test('rejects a list with missing dependencies', () => {
    const plan = new Plan('goal');
    plan.addTasks([task('1')]);
    expect(refusal(plan, () => plan.addTasks([task('2', ['1'])]))).toContain('unknown tasks: 1');
  });

  test('rejects a list with a cycle, a self-dependency, a duplicate id or an empty id by name', () => {
    const plan = new Plan('goal');
    plan.addTasks([task('1')]);
    const cycle = [task('a', ['b']), task('b', ['c']), task('c', ['a'])];
    expect(refusal(plan, () => plan.addTasks(cycle))).toContain('a → b → c → a');
    expect(refusal(plan, () => plan.addTasks([task('x', ['x'])]))).toContain(
      'Task x cannot depend on itself',
    );
    expect(refusal(plan, () => plan.addTasks([task('x'), task('x')]))).toContain('Task id x is used twice');
    expect(refusal(plan, () => plan.addTasks([task('')]))).toContain('task_id must not be empty');
  });
});

describe('working through a plan', () => {
  test('A-134 finishing advances to the next task; finished tasks are listed in order', () => {
    const plan = new Plan('goal');
    plan.addTasks([task('1'), task('2'), task('3')]);
    plan.finishCurrentTask();
    expect(plan.currentTask?.taskId).toBe('2');
    plan.finishCurrentTask();
    expect(plan.currentTaskId).toBe('3');
    expect(plan.getFinishedTasks().map(({ taskId }) => taskId)).toEqual(['1', '2']);
    plan.finishAllTasks();
    expect([plan.currentTask, plan.currentTaskId, plan.isPlanFinished()]).toEqual([null, '', true]);
  });

  test('A-135 resetting clears code and result; an unknown id changes nothing', () => {
    let changes = 0;
    const plan = new Plan('goal', { onChange: () => (changes += 1) });
    plan.addTasks([task('1', [], { code: "print('Hello')", result: 'Hello', isFinished: true })]);
    plan.resetTask('nobody');
    expect([plan.getFinishedTasks().length, changes]).toEqual([1, 1]);
    plan.resetTask('1');
    expect(plan.toData().tasks).toEqual([task('1').toData()]);
    expect(plan.currentTaskId).toBe('1');
  });

  test('resetting a task resets everything that depends on it, and nothing else', () => {
    const plan = new Plan('goal');
    plan.addTasks([task('1'), task('2', ['1']), task('3', ['2']), task('4')]);
    plan.finishAllTasks();
    plan.resetTask(2);
    expect(plan.tasks.map(({ taskId, isFinished }) => [taskId, isFinished])).toEqual([
      ['1', true],
      ['2', false],
      ['3', false],
      ['4', true],
    ]);
    expect(plan.currentTaskId).toBe('2');
  });

  test('A-143 an empty plan is finished, and finishing it does nothing', () => {
    let changes = 0;
    const plan = new Plan('goal', { onChange: () => (changes += 1) });
    plan.finishCurrentTask();
    plan.finishAllTasks();
    expect([plan.isPlanFinished(), plan.currentTask, plan.tasks, changes]).toEqual([true, null, [], 0]);
  });
});

describe('appending a task', () => {
  test('A-138 keeps the current task; an appended one becomes current when all are done', () => {
    const plan = new Plan('goal');
    plan.appendTask('1', [], 'one', 'A', 'eda');
    plan.appendTask('2', ['1'], 'two', 'B');
    expect(plan.currentTaskId).toBe('1');
    plan.finishAllTasks();
    plan.appendTask('3', [], 'three', 'A');
    expect(plan.currentTaskId).toBe('3');
    expect(plan.taskMap.get('1')?.toData()).toEqual({
      taskId: '1',
      dependentTaskIds: [],
      instruction: 'one',
      taskType: 'eda',
      assignee: 'A',
      isFinished: true,
      code: '',
      result: '',
      isSuccess: false,
    });
  });

  test('A-138 rejects an unknown dependency and lists the existing ids', () => {
    const plan = new Plan('goal');
    expect(refusal(plan, () => plan.appendTask('1', ['9'], 'x', 'A'))).toContain(
      'There are no other tasks yet',
    );
    plan.appendTask('1', [], 'one', 'A');
    expect(refusal(plan, () => plan.appendTask('2', ['1', '8', '9'], 'x', 'A'))).toBe(
      'Task 2 depends on unknown tasks: 8, 9. Known task ids are 1. ' +
        'Use those in dependent_task_ids, or append the missing tasks first.',
    );
    expect(refusal(plan, () => plan.appendTask('2', ['2'], 'x', 'A'))).toContain('cannot depend on itself');
  });

  test('A-144 rejects an existing id and suggests replace_task', () => {
    const plan = new Plan('goal');
    plan.appendTask(1, [], 'one', 'A');
    expect(refusal(plan, () => plan.appendTask('1', [], 'other', 'A'))).toBe(
      'There is already a task 1. It is the current task: work on it. Other work needs a new task_id.',
    );
  });

  test('accepts numeric ids', () => {
    const plan = new Plan('goal');
    plan.appendTask(1, [], 'one', 'A');
    plan.appendTask(2, [1], 'two', 'A');
    expect([ids(plan), plan.hasTaskId(2), plan.hasTaskId('2'), plan.hasTaskId('3')]).toEqual([
      ['1', '2'],
      true,
      true,
      false,
    ]);
  });
});

describe('replacing a task', () => {
  test('A-137 makes the new task unfinished and resets what depends on it', () => {
    const plan = new Plan('goal');
    plan.addTasks([task('1', [], { taskType: 'eda' }), task('2', ['1']), task('3')]);
    plan.finishAllTasks();
    plan.replaceTask('1', [], 'better', 'B');
    expect(plan.tasks.map((each) => [each.taskId, each.instruction, each.taskType, each.isFinished])).toEqual(
      [
        ['1', 'better', '', false],
        ['2', 'do 2', '', false],
        ['3', 'do 3', '', true],
      ],
    );
    expect([plan.currentTaskId, plan.currentTask?.assignee]).toEqual(['1', 'B']);
  });

  test('A-137 rejects an unknown id', () => {
    const plan = new Plan('goal');
    expect(refusal(plan, () => plan.replaceTask('7', [], 'x', 'A'))).toContain('use Plan.append_task');
    plan.appendTask('1', [], 'one', 'A');
    expect(refusal(plan, () => plan.replaceTask('7', [], 'x', 'A'))).toContain('Known task ids are 1');
  });

  test('A-140 rejects a replacement that would create a cycle', () => {
    const plan = new Plan('goal');
    plan.addTasks([task('1'), task('2', ['1'])]);
    plan.finishCurrentTask();
    expect(refusal(plan, () => plan.replaceTask('1', ['2'], 'x', 'A'))).toContain('1 → 2 → 1');
  });

  test('A-141 keeps the old task after an unknown new dependency', () => {
    const plan = new Plan('goal');
    plan.addTasks([task('1'), task('2', ['1'])]);
    plan.finishAllTasks();
    expect(refusal(plan, () => plan.replaceTask('1', ['9'], 'x', 'A'))).toContain('unknown tasks: 9');
  });

  test('moves a task behind its new dependencies', () => {
    const plan = new Plan('goal');
    plan.addTasks([task('1'), task('2'), task('3')]);
    plan.replaceTask('1', ['3'], 'x', 'A');
    expect([ids(plan), plan.currentTaskId]).toEqual([['3', '1', '2'], '3']);
  });
});

describe('storing a plan', () => {
  test('restores a plan from JSON', () => {
    const plan = new Plan('goal');
    plan.context = 'context';
    plan.addTasks([task('1'), task('2', ['1'])]);
    plan.finishCurrentTask();
    const restored = Plan.fromData(structuredClone(plan.toData()));
    expect(restored.toData()).toEqual(plan.toData());
    expect(restored.currentTaskId).toBe('2');
  });

  test('treats a restore as no change, and later calls as changes', () => {
    const seen: string[][] = [];
    const data = new Plan('goal').toData();
    const plan = Plan.fromData(data, { onChange: (changed) => seen.push(ids(changed)) });
    plan.appendTask('1', [], 'one', 'A');
    expect(() => plan.appendTask('1', [], 'one', 'A')).toThrow(RoleZeroError);
    expect(seen).toEqual([['1']]);
  });
});

describe('size', () => {
  const chain = Array.from({ length: 10_000 }, (_, i) => task(`${i}`, i === 0 ? [] : [`${i - 1}`]));

  test('sorts, replaces and resets ten thousand tasks in a chain', () => {
    const plan = new Plan('goal');
    plan.addTasks([...chain].reverse());
    expect([plan.currentTaskId, plan.tasks.at(-1)?.taskId]).toEqual(['0', '9999']);
    plan.finishAllTasks();
    plan.replaceTask('0', [], 'again', 'A');
    expect(plan.getFinishedTasks()).toEqual([]);
    expect(refusal(plan, () => plan.replaceTask('0', ['9999'], 'x', 'A')).length).toBeLessThan(400);
  });

  test('limits the size of a plan', () => {
    const plan = new Plan('goal', { maxTasks: 2 });
    plan.addTasks([task('1'), task('2')]);
    const message = 'A plan holds at most 2 tasks. Put several steps into one task, or raise maxTasks.';
    expect(refusal(plan, () => plan.appendTask('3', [], 'x', 'A'))).toBe(message);
    expect(refusal(plan, () => plan.addTasks([task('1'), task('2'), task('3')]))).toBe(message);
  });
});

test('keeps ids unique and order valid, and changes nothing on an error', () => {
  const id = fc.integer({ min: 0, max: 6 }).map(String);
  const dependencies = fc.array(id, { maxLength: 3 });
  const operation = fc.oneof(
    fc.record({ op: fc.constant('append' as const), id, dependencies }),
    fc.record({ op: fc.constant('replace' as const), id, dependencies }),
    fc.record({ op: fc.constant('reset' as const), id }),
    fc.record({ op: fc.constant('finish' as const) }),
    fc.record({
      op: fc.constant('add' as const),
      list: fc.array(fc.record({ taskId: id, dependentTaskIds: dependencies }), { maxLength: 5 }),
    }),
  );
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
      let changes = 0;
      const plan = new Plan('goal', { onChange: () => (changes += 1) });
      for (const step of operations) {
        const before = plan.toData();
        const changesBefore = changes;
        try {
          if (step.op === 'append') plan.appendTask(step.id, step.dependencies, 'x', 'A');
          else if (step.op === 'replace') plan.replaceTask(step.id, step.dependencies, 'x', 'A');
          else if (step.op === 'reset') plan.resetTask(step.id);
          else if (step.op === 'finish') plan.finishCurrentTask();
          else plan.addTasks(step.list);
        } catch (error) {
          expect((error as RoleZeroError).code).toBe('invalid');
          expect(plan.toData()).toEqual(before);
          expect(changes).toBe(changesBefore);
        }
        if (changes === changesBefore) expect(plan.toData()).toEqual(before);

        const order = ids(plan);
        expect(new Set(order).size).toBe(order.length);
        expect([...plan.taskMap.values()]).toEqual(plan.tasks);
        for (const [place, each] of plan.tasks.entries()) {
          for (const dependency of each.dependentTaskIds) {
            expect(order.slice(0, place)).toContain(dependency);
          }
        }
        expect(plan.currentTask).toBe(plan.tasks.find((each) => !each.isFinished) ?? null);
        expect(Plan.fromData(plan.toData()).toData()).toEqual(plan.toData());
      }
    }),
  );
});
