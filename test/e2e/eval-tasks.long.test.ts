/** @module-tag nightly */
import { afterAll, describe, expect, it } from 'vitest';
import { runInAiSdk } from '../../scripts/eval/ai-sdk-loop.js';
import { judge } from '../../scripts/eval/judge.js';
import { Sandbox } from '../../scripts/eval/sandbox.js';
import { CODE, KINDS, kindOf, SMALL, type Task } from '../../scripts/eval/task.js';
import { ALL_TASKS, TASKS } from '../../scripts/eval/tasks/index.js';
import { solvingReply } from '../eval/model.js';
import { DONE, resultOf, withContent, type Solution } from '../eval/solution.js';
import { MISTAKES, VARIANTS } from '../eval/other-solutions.js';
import { SOLUTIONS } from '../eval/solutions.js';
import { startFaultServer } from '../fault-server/fault-server.js';

const sandbox = new Sandbox();
afterAll(() => sandbox.close());

const verdict = async (id: string, solution: Solution) => {
  const task = ALL_TASKS.find((each) => each.id === id);
  if (task === undefined) throw new Error(`There is no task ${id}.`);
  return task.check(resultOf(task, solution), sandbox.evaluate);
};

/** The solution writes files; the result of the other tasks is an answer. */
const resultHasFiles = (id: Task['id']) =>
  (SOLUTIONS[id] ?? []).flat(2).some((action) => action.do === 'write');

describe('the tasks for real models', () => {
  it('are 30, three of each kind, and 10 each for small models and with programs, with ids and requests of their own', () => {
    expect(TASKS.map(kindOf)).toEqual(KINDS.flatMap((kind) => [kind, kind, kind]));
    const others = [SMALL, CODE].flatMap((kind) => Array.from({ length: 10 }, () => kind));
    expect(ALL_TASKS.slice(30).map(kindOf)).toEqual(others);
    expect(new Set(ALL_TASKS.map(({ id }) => id)).size).toBe(50);
    const requests = ALL_TASKS.flatMap((task) => task.requests);
    expect(new Set(requests).size).toBe(requests.length);
  });

  it('reject a result where nothing was done, and one with other content in its files', async () => {
    const accepted: unknown[] = [];
    for (const { id, requests } of ALL_TASKS) {
      if (
        (await verdict(
          id,
          requests.map(() => [[DONE]]),
        )) === null
      )
        accepted.push([id, 'nothing']);
      const other = withContent(SOLUTIONS[id] ?? [], 'To be done.');
      const hasFiles = resultHasFiles(id);
      if (hasFiles && (await verdict(id, other)) === null) accepted.push([id, 'other content']);
    }
    expect(accepted).toEqual([]);
  });

  it('accept solutions that differ in what the request leaves open', async () => {
    const failed: unknown[] = [];
    for (const [id, solution] of VARIANTS) {
      const failure = await verdict(id, solution);
      if (failure !== null) failed.push([id, failure]);
    }
    expect(failed).toEqual([]);
  });

  it('reject plausible mistakes, and name their causes', async () => {
    const causes: unknown[] = [];
    for (const [id, , solution] of MISTAKES)
      causes.push([id, (await verdict(id, solution))?.cause ?? 'accepted']);
    expect(causes).toEqual(MISTAKES.map(([id, cause]) => [id, cause]));
  });
});

describe('a loop of the AI SDK', () => {
  it('solves every task without programs, with a scripted model over HTTP, and the checks accept its results', async () => {
    const server = await startFaultServer();
    server.script([solvingReply(SOLUTIONS)], 'repeat');
    const endpoint = { baseURL: server.url, model: 'scripted', apiKey: undefined };
    const limits = { minutes: 10, signal: new AbortController().signal };
    const failed: unknown[] = [];
    for (const task of ALL_TASKS.filter((each) => kindOf(each) !== CODE)) {
      const failure = await judge(task, await runInAiSdk(task, endpoint, limits), sandbox.evaluate);
      if (failure !== null) failed.push([task.id, failure]);
    }
    await server.close();
    expect(failed).toEqual([]);
  });
});

describe('the sandbox of checks', () => {
  it('gives a page of a result neither network nor the result of another evaluation', async () => {
    const store = `localStorage.setItem('seen', '1'); return (await fetch('https://example.com/').catch(() => 'offline')) === 'offline'`;
    expect(await sandbox.evaluate({}, null, store)).toEqual({ value: true });
    expect(await sandbox.evaluate({}, null, `return localStorage.getItem('seen');`)).toEqual({ value: null });
  });

  it('ends code that never ends', async () => {
    const impatient = new Sandbox(1_000);
    const files = { '/slug.js': 'while (true) {}' };
    expect(await impatient.evaluate(files, null, `await import('/slug.js');`)).toEqual({
      problem: 'It did not end in 1 s.',
    });
    await impatient.close();
  });

  it('reports what a page throws', async () => {
    expect(await sandbox.evaluate({}, null, `throw new Error('broken')`)).toEqual({
      problem: expect.stringContaining('broken') as string,
    });
  });
});
