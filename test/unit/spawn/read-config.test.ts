import { expect, test } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import { readSpawnConfig } from '../../../src/spawn/read-config.js';

const model = { baseURL: 'http://localhost:11434/v1', model: 'qwen3' };

/** The error message of a rejected config. */
function refusal(config: unknown): string {
  try {
    readSpawnConfig(config);
  } catch (error) {
    if (error instanceof RoleZeroError && error.code === 'invalid') return error.message;
    throw error;
  }
  throw new Error('It was accepted.');
}

test('passes on unchanged all options of connect and RoleZero that are plain data', () => {
  const config = {
    model: {
      ...model,
      apiKey: 'key',
      contextWindow: 32_768,
      maxOutputTokens: 4096,
      parameters: 8e9,
      headers: { 'x-team': 'a' },
      jsonSchema: true,
      images: false,
      seed: true,
      extraBody: { reasoning_effort: 'low' },
      retries: 0,
      timeouts: { idleMs: Infinity },
      maxReplyLength: 1000,
      price: { promptPerMillion: 0.1, completionPerMillion: 0.4 },
    },
    role: {
      name: 'Ada',
      profile: 'Engineer',
      goal: 'build games',
      constraints: 'small files',
      description: 'You are Ada.',
      instruction: 'Work.',
      taskTypes: 'code',
      example: 'none',
      maxSteps: 5,
      maxMessages: 10,
      summarize: false,
      language: 'German',
      preset: 'small',
      temperature: { think: 0.1 },
      policy: [{ tool: 'Editor.*', path: '/secrets/**', do: 'deny' }],
      budget: { usd: 1, tokens: 1000 },
    },
    browser: true,
    shell: 'blob:https://a.example/5a8b',
  };
  expect(readSpawnConfig(config)).toEqual(config);
});

test('accepts a model of the page by its name alone', () => {
  const config = { model: { provider: 'page', name: 'chrome' }, role: {} };
  expect(readSpawnConfig(config)).toEqual(config);
  expect(refusal({ ...config, model: { ...config.model, apiKey: 'key' } })).toContain(
    'model: must not have the property "apiKey"',
  );
  expect(refusal({ ...config, model: { provider: 'page', name: '' } })).toContain('model.name: ');
  expect(refusal({ ...config, model: { ...model, provider: 'elsewhere' } })).toContain('model: ');
});

test('treats an undefined option as omitted', () => {
  const config = {
    model: { ...model, apiKey: undefined },
    role: { name: undefined, budget: { usd: undefined } },
  };
  expect(readSpawnConfig(config)).toStrictEqual({ model, role: { budget: {} } });
});

test('names every wrong option, also one that does not exist', () => {
  expect(refusal({ model: { ...model, baseURL: 'localhost', temprature: 1 }, role: { maxSteps: 0 } })).toBe(
    'spawn() cannot work with these options. model.baseURL: must be a URL that starts with http:// or https://; ' +
      'model: must not have the property "temprature"; role.maxSteps: must be at least 1.',
  );
  expect(refusal(undefined)).toMatch(/options: must be object, but is undefined/);
});
