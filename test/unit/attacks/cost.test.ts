import { describe, expect, it } from 'vitest';
import { doTask, inSession, overNetwork, type Done, type Task } from '../../attacks/utility.js';
import { mixed, onTheWeb } from '../../attacks/everyday.js';
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

  it.each<[kind: string, Task[], steps: number, questions: number]>([
    ['ten tasks on the web', [...onTheWeb], 52, 2],
    ['ten tasks with private files and effects outside', [...mixed], 31, 8],
  ])('%s are done', async (kind, tasks, steps, questions) => {
    const done: Done[] = [];
    for (const task of tasks) done.push(await doTask(task, setting));
    const asked = done.filter((each) => each.asked > 0).map((each) => `${each.name}: ${each.asked}`);
    const total = done.reduce((sum, each) => sum + each.asked, 0);
    const all = done.reduce((sum, each) => sum + each.steps, 0);
    console.log(`${kind}: ${total} questions in ${all} steps (${asked.join(', ')})`);
    expect(done.flatMap((each) => each.problem ?? [])).toEqual([]);
    expect(total / all).toBeLessThanOrEqual(questions / steps);
  });
});
