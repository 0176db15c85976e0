import { expect, test } from 'vitest';
import { taskType, taskTypeNames } from '../../../src/metagpt/task-types.js';

test('A-155 the eleven types are known by name, any other name is null', () => {
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

test('every type has a description, and all but "other" have guidance', () => {
  const types = taskTypeNames.map((name) => taskType(name));
  expect(types.map((type) => type?.name)).toEqual(taskTypeNames);
  expect(types.filter((type) => type?.description.trim() === '')).toEqual([]);
  expect(types.filter((type) => type?.guidance === '').map((type) => type?.name)).toEqual(['other']);
});
