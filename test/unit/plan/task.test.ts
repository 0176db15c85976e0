import { expect, test } from 'vitest';
import { Task } from '../../../src/plan/task.js';

test('a task starts empty and unfinished', () => {
  expect(new Task().toData()).toEqual({
    taskId: '',
    dependentTaskIds: [],
    instruction: '',
    taskType: '',
    assignee: '',
    isFinished: false,
    code: '',
    result: '',
    isSuccess: false,
  });
});

test('treats numeric ids and the same ids as strings as equal', () => {
  const task = new Task({ taskId: 2, dependentTaskIds: [1, '1', 3] });
  expect([task.taskId, task.dependentTaskIds]).toEqual(['2', ['1', '3']]);
});

test('A-146 appends results on new lines; success is that of the last', () => {
  const task = new Task({ taskId: '1' });
  task.updateTaskResult({ code: 'a()', result: 'first', isSuccess: true });
  task.updateTaskResult({ result: 'second', isSuccess: false });
  expect([task.code, task.result, task.isSuccess]).toEqual(['\na()\n', '\nfirst\nsecond', false]);
});

test('reset clears progress and keeps the instruction', () => {
  const given = {
    taskId: '1',
    dependentTaskIds: ['0'],
    instruction: 'do',
    taskType: 'eda',
    assignee: 'A',
  };
  const task = new Task({ ...given, code: 'c', result: 'r', isSuccess: true, isFinished: true });
  task.reset();
  expect(task.toData()).toEqual({ ...given, code: '', result: '', isSuccess: false, isFinished: false });
});

test('restores a task from JSON', () => {
  const data = new Task({ taskId: '1', dependentTaskIds: ['0'], result: 'r', isFinished: true }).toData();
  expect(Task.fromData(structuredClone(data)).toData()).toEqual(data);
});
