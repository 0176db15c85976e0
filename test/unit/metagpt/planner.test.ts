import { describe, expect, test } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import { UserMessage } from '../../../src/core/message.js';
import { Plan } from '../../../src/plan/plan.js';
import { Planner, type PlannerOptions } from '../../../src/metagpt/planner.js';
import { readJsonReply } from '../../../src/agent/parse/reply.js';

/** A planner with scripted replies of its model and its user; both throw when asked for more. */
function planner(script: { replies?: string[]; reviews?: (string | null)[] }, options: PlannerOptions = {}) {
  const replies = [...(script.replies ?? [])];
  const reviews = [...(script.reviews ?? [])];
  const asked: { prompts: string[]; questions: string[]; warnings: string[] } = {
    prompts: [],
    questions: [],
    warnings: [],
  };
  const next = <Answers>(answers: Answers[], who: string): Answers => {
    if (answers.length === 0) throw new Error(`nothing left for the ${who} to say`);
    return answers.shift() as Answers;
  };
  let ids = 0;
  return {
    asked,
    leftovers: () => [...replies, ...reviews],
    planner: new Planner(
      {
        ask: async (prompt) => {
          asked.prompts.push(prompt);
          return next(replies, 'model');
        },
        review: async (question) => {
          asked.questions.push(question);
          return next(reviews, 'user');
        },
        readJson: readJsonReply,
        newId: () => `m${++ids}`,
        warn: (message) => asked.warnings.push(message),
      },
      options,
    ),
  };
}

type Proposed = Record<string, unknown>;
const fenced = (...tasks: Proposed[]) => `Here it is:\n\`\`\`json\n${JSON.stringify(tasks)}\n\`\`\``;
const propose = (task_id: unknown, dependent_task_ids: unknown[] = [], more: Proposed = {}): Proposed => ({
  task_id,
  dependent_task_ids,
  instruction: `do ${String(task_id)}`,
  task_type: 'other',
  ...more,
});
const WRITE = propose('1', [], { instruction: 'write it' });
const CHECK = propose('2', ['1'], { instruction: 'check it' });

/** A plan of two open tasks. */
function twoTasks(): Plan {
  const plan = new Plan('ship it');
  plan.appendTask('1', [], 'write it', 'A', 'other');
  plan.appendTask('2', ['1'], 'check it', 'A', 'other');
  return plan;
}

const outline = (plan: Plan) =>
  plan.tasks.map((task) => `${task.taskId}${task.isFinished ? '!' : ''} ${task.instruction}`);

async function refusal(work: Promise<unknown>): Promise<RoleZeroError> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof RoleZeroError) return error;
  throw new Error('was not rejected');
}

describe('making a plan', () => {
  test('asks the model, then the user, and uses the plan that the user confirms', async () => {
    const { planner: it, asked } = planner({ replies: [fenced(WRITE, CHECK)], reviews: ['yes'] });
    await it.updatePlan('ship it', 5);

    expect(it.plan.goal).toBe('ship it');
    expect(outline(it.plan)).toEqual(['1 write it', '2 check it']);
    expect(it.workingMemory).toEqual([]);
    expect(asked.prompts[0]).toContain('at most 5 tasks');
    expect(asked.prompts[0]).toContain('# User Requirement\nship it\n');
    expect(asked.questions).toEqual([
      'This is a <task> review. The plan:\n' +
        '1: write it, is_finished: false\n' +
        '2: check it, is_finished: false\n\n' +
        'To continue, answer one of: confirm, continue, c, yes, y. To change, add, remove or merge tasks, say which and how, ' +
        'for example "change task 2: …". To have a task done again, say redo and why. To end the run, answer: exit.',
    ]);
  });

  test('sends the changes that the user wants to the model, until the user agrees', async () => {
    const { planner: it, asked } = planner({
      replies: [fenced(WRITE, CHECK), fenced(WRITE)],
      reviews: ['no checking, please', 'c'],
    });
    await it.updatePlan('ship it');

    expect(outline(it.plan)).toEqual(['1 write it']);
    expect(asked.prompts[1]).toContain(
      `assistant: ${fenced(WRITE, CHECK)}\n\nuser: no checking, please\n\nReply with one JSON list`,
    );
    expect(asked.questions[1]).toContain('user: no checking, please');
  });

  test('without a connected user, or in auto mode, a valid plan is accepted', async () => {
    const alone = planner({ replies: [fenced(WRITE)], reviews: [null] });
    await alone.planner.updatePlan('ship it');
    expect(outline(alone.planner.plan)).toEqual(['1 write it']);

    const auto = planner({ replies: [fenced(WRITE)] }, { autoRun: true });
    await auto.planner.updatePlan('ship it');
    expect(outline(auto.planner.plan)).toEqual(['1 write it']);
    expect(auto.asked.questions).toEqual([]);
  });

  test('A-149 four invalid generations end with a clear error and leave the plan unchanged', async () => {
    const changes: string[] = [];
    const plan = twoTasks();
    const { planner: it, asked } = planner(
      {
        replies: [
          'I would rather not.',
          fenced(),
          fenced(propose('1', ['7'])),
          fenced(propose('1', [], { instruction: 5 })),
        ],
      },
      { plan, autoRun: true, planOptions: { onChange: (changed) => changes.push(changed.goal) } },
    );
    it.workingMemory.push(new UserMessage('be quick', { id: 'before' }));
    const before = plan.toData();
    const error = await refusal(it.updatePlan('another goal'));

    expect(error.toData()).toEqual({
      code: 'invalid',
      message:
        'The model gave no valid plan (attempts: 4), so the plan is unchanged. The last problem: Task 0 (counted from 0) has no "instruction". ' +
        'Send a JSON list of tasks: [{"task_id": "1", "dependent_task_ids": [], "instruction": "…", "task_type": "other"}].',
      detail: { attempts: 4 },
      cause: expect.stringContaining('has no "instruction"') as unknown,
    });
    expect(it.plan).toBe(plan);
    expect(plan.toData()).toEqual(before);
    expect(it.workingMemory.map(({ id }) => id)).toEqual(['before']);
    expect(changes).toEqual([]);
    // Each attempt contains all before it: the request, then each reply with its error.
    expect(asked.prompts.map((prompt) => prompt.split('This plan is not valid').length - 1)).toEqual([
      0, 1, 2, 3,
    ]);
    expect(asked.prompts[3]).toContain('depends on unknown tasks: 7');
  });

  test('accepts a valid plan after an invalid one', async () => {
    const { planner: it } = planner(
      { replies: ['[{"task_id": 1}]', fenced(WRITE, CHECK)] },
      { autoRun: true },
    );
    await it.updatePlan('ship it', 3, 1);
    expect(outline(it.plan)).toEqual(['1 write it', '2 check it']);
  });

  test('fails after one invalid reply without retries', async () => {
    const { planner: it, asked } = planner({ replies: ['no'] }, { autoRun: true });
    expect((await refusal(it.updatePlan('ship it', 3, 0))).message).toContain('attempts: 1');
    expect(asked.prompts).toHaveLength(1);
  });

  test('ends only the run at an exit in a review', async () => {
    const plan = twoTasks();
    const { planner: it } = planner({ replies: [fenced(WRITE)], reviews: ['Exit '] }, { plan });
    expect((await refusal(it.updatePlan('another goal'))).code).toBe('aborted');
    expect(it.plan).toBe(plan);
    expect(outline(plan)).toEqual(['1 write it', '2 check it']);
    expect(it.workingMemory).toEqual([]);
  });

  test('accepts numeric ids and missing dependencies and types, and ignores claims that a task is done', async () => {
    const { planner: it } = planner(
      {
        replies: [
          '{"tasks": [{"task_id": 1, "instruction": "a", "is_finished": true}, {"task_id": 2, "dependent_task_ids": [1], "instruction": "b", "assignee": "B"}]}',
        ],
      },
      { autoRun: true },
    );
    await it.updatePlan('ship it');
    expect(it.plan.toData().tasks).toMatchObject([
      { taskId: '1', dependentTaskIds: [], instruction: 'a', taskType: '', isFinished: false },
      { taskId: '2', dependentTaskIds: ['1'], instruction: 'b', assignee: 'B' },
    ]);
  });
});

describe('changing a plan', () => {
  test('A-152 uses only the first task when it has dependencies, and reports it', async () => {
    const { planner: it, asked } = planner(
      { replies: [fenced(propose('3', ['1'], { task_type: 'eda' }), propose('4'), propose('5'))] },
      { plan: twoTasks(), autoRun: true },
    );
    await it.updatePlan();
    expect(outline(it.plan)).toEqual(['1 write it', '2 check it', '3 do 3']);
    expect(it.plan.taskMap.get('3')?.taskType).toBe('eda');
    expect(asked.warnings).toEqual([
      "Only the first task of the model's plan was taken, because it depends on others; 2 more were left out.",
    ]);
  });

  test('replaces a task by a single task with the same id', async () => {
    const plan = twoTasks();
    plan.finishAllTasks();
    const { planner: it } = planner(
      {
        replies: [
          fenced(propose('1', [], { instruction: 'write it better', task_type: 'develop software' })),
        ],
      },
      { plan, autoRun: true },
    );
    await it.updatePlan();
    expect(outline(it.plan)).toEqual(['1 write it better', '2 check it']);
    expect(it.plan.taskMap.get('1')?.taskType).toBe('develop software');
  });

  test('keeps the progress of unchanged tasks in a whole list', async () => {
    const plan = twoTasks();
    plan.finishCurrentTask();
    const { planner: it } = planner(
      { replies: [fenced(WRITE, propose('2', ['1'], { instruction: 'check twice' }))] },
      { plan, autoRun: true },
    );
    await it.updatePlan();
    expect(outline(it.plan)).toEqual(['1! write it', '2 check twice']);
  });
});

describe('reviewing', () => {
  test('A-153 accepts the words of confirmation in any case, and any sentence with "confirm"; not ok, not redo', async () => {
    const answers = ['confirm', 'Continue', 'C', ' yes ', 'y', 'I confirm that', 'Confirmed!'];
    const unwilling = ['ok', 'redo', 'yes please', 'cc', ''];
    const { planner: it } = planner({ reviews: [...answers, ...unwilling] }, { plan: twoTasks() });
    const confirmed = async (words: string[]) => {
      const reviews: boolean[] = [];
      for (const _ of words) reviews.push((await it.askReview()).confirmed);
      return reviews;
    };
    expect(await confirmed(answers)).toEqual(answers.map(() => true));
    expect(it.workingMemory).toEqual([]);
    expect(await confirmed(unwilling)).toEqual(unwilling.map(() => false));
    expect(it.workingMemory.map(({ content }) => content)).toEqual(unwilling);
  });

  test('shows the result and only the newest message', async () => {
    const { planner: it, asked } = planner({ reviews: ['y'] }, { plan: twoTasks() });
    for (let number = 1; number <= 7; number++) it.workingMemory.push(new UserMessage(`note ${number}`));
    await it.askReview({ result: 'x'.repeat(5_000), isSuccess: false }, false, 'code', 2);
    expect(asked.questions[0]).toContain('<code> review');
    expect(asked.questions[0]).toContain('Latest messages:\nuser: note 6\nuser: note 7\n\n');
    expect(asked.questions[0]).toContain(`Result of task 1 (failed):\n${'x'.repeat(1_000)}…\n`);
  });

  test('uses the result in auto mode, and accepts a missing result', async () => {
    const { planner: it } = planner({}, { plan: twoTasks(), autoRun: true });
    expect(await it.askReview({ result: '', isSuccess: false })).toEqual({ review: '', confirmed: false });
    expect(await it.askReview({ result: '', isSuccess: true })).toEqual({ review: '', confirmed: true });
    expect(await it.askReview()).toEqual({ review: '', confirmed: true });
  });
});

describe('processing the result of a task', () => {
  test('A-150 in auto mode, success finishes the task and failure changes the plan', async () => {
    const { planner: it, asked } = planner(
      { replies: [fenced(propose('2', ['1'], { instruction: 'check it by hand' }))] },
      { plan: twoTasks(), autoRun: true },
    );
    await it.processTaskResult({ code: 'write()', result: 'wrote /a', isSuccess: true });
    expect(it.plan.toData().tasks[0]).toMatchObject({
      code: '\nwrite()',
      result: '\nwrote /a',
      isSuccess: true,
      isFinished: true,
    });
    expect(it.plan.currentTaskId).toBe('2');
    expect(asked.prompts).toEqual([]);

    await it.processTaskResult({ result: 'the checker crashed', isSuccess: false });
    expect(asked.prompts[0]).toContain('user: Task 2 did not succeed. Its result:\nthe checker crashed');
    expect(outline(it.plan)).toEqual(['1! write it', '2 check it by hand']);
    expect(it.workingMemory).toEqual([]);
  });

  test('does not change the plan on redo, and passes the review to the next attempt', async () => {
    const { planner: it } = planner({ reviews: ['Redo it in blue'] }, { plan: twoTasks() });
    await it.processTaskResult({ result: 'a red one', isSuccess: true });
    expect(outline(it.plan)).toEqual(['1 write it', '2 check it']);
    expect(it.workingMemory.map(String)).toEqual(['user: Redo it in blue']);
  });

  test('changes the plan for any other answer', async () => {
    const { planner: it, leftovers } = planner(
      {
        replies: [fenced(propose('1', [], { instruction: 'paint it' }))],
        reviews: ['paint it first', 'yes'],
      },
      { plan: twoTasks() },
    );
    await it.processTaskResult({ result: 'done', isSuccess: true });
    expect(outline(it.plan)).toEqual(['1 paint it', '2 check it']);
    expect(leftovers()).toEqual([]);
  });

  test('finishes the task and changes the plan after a confirmation with requests', async () => {
    const { planner: it, asked } = planner(
      { replies: [fenced(propose('3'))], reviews: ['confirm, and add task 3', 'y'] },
      { plan: twoTasks() },
    );
    await it.processTaskResult({ result: 'done', isSuccess: true });
    expect(asked.prompts[0]).toContain('"result": "\\ndone"');
    expect(asked.prompts[0]).toContain('user: confirm, and add task 3');
    expect(outline(it.plan)).toEqual(['1! write it', '2 check it', '3 do 3']);
  });

  test('leaves the plan unchanged when interrupted, and can be repeated', async () => {
    const plan = twoTasks();
    const { planner: it } = planner(
      {
        replies: [fenced(propose('3')), fenced(propose('3'))],
        reviews: ['confirm, add 3', 'exit', 'confirm, add 3', 'y'],
      },
      { plan },
    );
    const before = plan.toData();
    const done = { result: 'done', isSuccess: true };
    expect((await refusal(it.processTaskResult(done))).code).toBe('aborted');
    expect(plan.toData()).toEqual(before);
    expect(it.workingMemory).toEqual([]);

    await it.processTaskResult(done);
    expect(plan.toData().tasks.map(({ taskId, result }) => [taskId, result])).toEqual([
      ['1', '\ndone'],
      ['2', ''],
      ['3', ''],
    ]);
  });

  test('rejects a result without a current task', async () => {
    const { planner: it } = planner({}, { autoRun: true });
    expect((await refusal(it.confirmTask({ result: 'x', isSuccess: true }))).code).toBe('invalid');
  });
});

describe('events of the planner', () => {
  test('puts the plan first in the useful memories, then the working memory', () => {
    const { planner: it } = planner({}, { plan: twoTasks() });
    it.plan.context = 'a demo';
    it.workingMemory.push(new UserMessage('hurry'));
    const [first, ...rest] = it.getUsefulMemories(['code', 'result', 'isSuccess', 'assignee']);
    const task = (id: string, dependencies: string[], instruction: string) => ({
      task_id: id,
      dependent_task_ids: dependencies,
      instruction,
      task_type: 'other',
      is_finished: false,
    });
    expect(first?.toDict()).toEqual({
      role: 'user',
      content:
        '# User Requirement\nship it\n# Context\na demo\n# Current Plan\n' +
        `${JSON.stringify([task('1', [], 'write it'), task('2', ['1'], 'check it')], null, 4)}\n` +
        '# Current Task\n{"task_id":"1","dependent_task_ids":[],"instruction":"write it","task_type":"other","code":"","result":"","is_success":false,"is_finished":false,"assignee":"A"}',
    });
    expect(rest.map(String)).toEqual(['user: hurry']);
    expect(planner({}).planner.getUsefulMemories()[0]?.content).toMatch(
      /# Current Plan\n\[\]\n# Current Task\n\{\}$/,
    );
  });

  test('shows finished code without comments, results, the current task and its guidance', () => {
    const plan = twoTasks();
    plan.currentTask?.updateTaskResult({
      code: '# read\nx = 7 // 2  # half\n\ny = "# no comment"  \n// gone\n/* gone\n too */\nthis.#name = 1; // stays',
      result: 'read 3 rows',
      isSuccess: true,
    });
    plan.finishCurrentTask();
    const current = plan.currentTask;
    if (current !== null) current.taskType = 'develop software';
    current?.updateTaskResult({ code: 'test() # first', result: 'red', isSuccess: false });
    const { planner: it } = planner({}, { plan });

    expect(it.getPlanStatus()).toBe(`## Finished Tasks
### code
\`\`\`
x = 7 // 2
y = "# no comment"
this.#name = 1; // stays
\`\`\`

### execution result
read 3 rows

## Current Task
check it

## Finished Section of Current Task
### code
\`\`\`
test() # first
\`\`\`
### execution result
red

## Task Guidance
Read the existing code before changing it. Make it run early, then continue in small steps.
Check the result by running it or its tests.`);
    const without = it.getPlanStatus(['code', 'task_result']);
    expect(without).not.toMatch(/y = |test\(\)|rows|red/);
    expect(without.match(/\(.* left out\)/g)).toEqual([
      '(code left out)',
      '(results left out)',
      '(code left out)',
      '(results left out)',
    ]);
  });

  test('has empty sections for an empty or finished plan', () => {
    const { planner: it } = planner({});
    expect(it.getPlanStatus()).toMatch(/## Current Task\n\n\n[^]*## Task Guidance\n$/);
    it.plan = twoTasks();
    it.plan.finishAllTasks();
    expect(it.getPlanStatus()).toMatch(/## Current Task\n\n\n[^]*## Task Guidance\n$/);
  });
});
