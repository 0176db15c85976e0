import { describe, expect, it } from 'vitest';
import { doTask, inSession, overNetwork } from '../../attacks/utility.js';
import { SHELL_SITE } from '../../attacks/world.js';

const SETTINGS = {
  'no options': {},
  capabilities: { capabilities: { outside: ['*'], origins: ['https://*', SHELL_SITE] } },
};

describe.each(Object.entries(SETTINGS))('honest work with %s', (_name, setting) => {
  it.each(inSession.map((task) => [task.name, task] as const))('%s, without an approval', async (_, task) => {
    expect(await doTask(task, setting)).toMatchObject({ problem: null, asked: 0 });
  });

  it.each(overNetwork.map((task) => [task.name, task] as const))(
    '%s, with one approval at most',
    async (_, task) => {
      const { problem, asked } = await doTask(task, setting);
      expect(problem).toBeNull();
      expect(asked).toBeLessThanOrEqual(1);
    },
  );
});
