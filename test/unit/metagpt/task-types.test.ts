import { expect, test } from 'vitest';
import { taskType, taskTypeNames } from '../../../src/metagpt/task-types.js';

test('A-155 knows the eleven types by name, and returns null for any other name', () => {
  expect(taskTypeNames).toEqual([
    'eda',
    'data preprocessing',
    'feature engineering',
    'model train',
    'model evaluate',
    'image2webpage',
    'other',
    'text2image',
    'web scraping',
    'email login',
    'develop software',
  ]);
  expect(taskType('gardening')).toBeNull();
  expect(taskType('')).toBeNull();
  expect(taskType('constructor')).toBeNull();
});

test('describes every type, and has guidance for all but "other"', () => {
  const types = taskTypeNames.map((name) => taskType(name));
  expect(types.map((type) => type?.name)).toEqual(taskTypeNames);
  expect(types.filter((type) => type?.description.trim() === '')).toEqual([]);
  expect(types.filter((type) => type?.guidance === '').map((type) => type?.name)).toEqual(['other']);
});
