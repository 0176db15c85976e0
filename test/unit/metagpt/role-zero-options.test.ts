import { describe, expect, it } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { roleZeroOptions } from '../../../src/metagpt/index.js';

describe('roleZeroOptions', () => {
  const PYTHON = {
    desc: 'You are Ada.',
    is_human: true,
    max_react_loop: 20,
    memory_k: 30,
    respond_language: 'German',
    task_type_desc: 'count: counts',
    use_summary: false,
  };
  const CAMEL_CASE = {
    desc: 'You are Ada.',
    isHuman: true,
    maxReactLoop: 20,
    memoryK: 30,
    respondLanguage: 'German',
    taskTypeDesc: 'count: counts',
    useSummary: false,
  };

  it.each([
    ['MetaGPT', PYTHON],
    ['MetaGPT in camel case', CAMEL_CASE],
  ])('reads the names of %s', (_, options) => {
    const role = new RoleZero(roleZeroOptions({ name: 'Ada', ...options }));
    expect(role).toMatchObject({
      name: 'Ada',
      description: 'You are Ada.',
      maxSteps: 20,
      settings: {
        maxMessages: 30,
        language: 'German',
        taskTypes: 'count: counts',
        summarize: false,
        callPlan: 'classic', // of a role that the user plays
      },
    });
  });

  it('leaves an unknown name to RoleZero, which rejects it', () => {
    const options = roleZeroOptions({ max_react_loops: 3 } as never);
    expect(() => new RoleZero(options)).toThrow(/^RoleZero has no option max_react_loops\./);
  });
});
