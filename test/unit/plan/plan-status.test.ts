import { expect, test } from 'vitest';
import { planStatus } from '../../../src/plan/plan-status.js';
import { Plan } from '../../../src/plan/plan.js';

test('A-129 shows goal, tasks and the current task without code and results', () => {
  const plan = new Plan('ship the game');
  plan.appendTask('1', [], 'Write it.', 'A', 'develop software');
  plan.appendTask('2', ['1'], 'Test it.', 'B');
  plan.finishCurrentTask();

  expect(planStatus(plan)).toEqual({
    planStatus:
      '[GOAL] ship the game\n' +
      '[Plan]\n' +
      '[TASK_ID 1] (finished)Write it. This task depends on tasks[]. [Assign to A]\n' +
      "[TASK_ID 2] (    )Test it. This task depends on tasks['1']. [Assign to B]\n",
    currentTask:
      '{"task_id":"2","dependent_task_ids":["1"],"instruction":"Test it.","task_type":"","is_finished":false,"assignee":"B"}',
  });
});

test('reports that there is no plan yet', () => {
  expect(planStatus(new Plan('say hello'))).toEqual({
    planStatus: '[GOAL] say hello\nNo Plan \n',
    currentTask: '',
  });
});

test('shows the goals that wait below the newest one', () => {
  expect(planStatus(new Plan('third'), ['first', 'second']).planStatus).toBe(
    '[EARLIER GOAL, not done yet] first\n[EARLIER GOAL, not done yet] second\n[GOAL] third\nNo Plan \n',
  );
});

test('shows several dependencies as a quoted list', () => {
  const plan = new Plan('');
  plan.appendTask('1', [], 'one', '');
  plan.appendTask("it's", [], 'two', '');
  plan.appendTask('3', ['1', "it's"], 'three', 'A');
  plan.finishAllTasks();

  expect(planStatus(plan).planStatus.split('\n')[4]).toBe(
    "[TASK_ID 3] (finished)three This task depends on tasks['1', 'it\\'s']. [Assign to A]",
  );
  expect(planStatus(plan).currentTask).toBe('');
});
