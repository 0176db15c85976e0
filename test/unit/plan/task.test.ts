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

test('ids written as numbers are the same ids as strings', () => {
  const task = new Task({ taskId: 2, dependentTaskIds: [1, '1', 3] });
  expect([task.taskId, task.dependentTaskIds]).toEqual(['2', ['1', '3']]);
});

test('A-146 results accumulate on new lines and success is that of the last', () => {
  const task = new Task({ taskId: '1' });
  task.updateTaskResult({ code: 'a()', result: 'first', isSuccess: true });
  task.updateTaskResult({ result: 'second', isSuccess: false });
  expect([task.code, task.result, task.isSuccess]).toEqual(['\na()\n', '\nfirst\nsecond', false]);
});

test('reset forgets progress and keeps what is to be done', () => {
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

test('a task survives being written down', () => {
  const data = new Task({ taskId: '1', dependentTaskIds: ['0'], result: 'r', isFinished: true }).toData();
  expect(Task.fromData(structuredClone(data)).toData()).toEqual(data);
});
