import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/core/json.js';
import type { ChatModel } from '../../../src/core/model.js';
import type { Runtime } from '../../../src/core/program.js';
import { DataAnalyst } from '../../../src/metagpt/data-analyst.js';
import { javascript } from '../../../src/runtimes/javascript/node.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

type Step = readonly [name: string, args: Record<string, JsonValue>];

const SALES = 'region,amount\nnorth,10\nsouth,5\nnorth,32\n';
const TOTALS = `import { readFileSync, writeFileSync } from 'node:fs';
const [, ...rows] = readFileSync('/sales.csv', 'utf8').trim().split('\\n').map((row) => row.split(','));
const totals = {};
for (const [region, amount] of rows) totals[region] = (totals[region] ?? 0) + Number(amount);
writeFileSync('/totals.json', JSON.stringify(totals));
console.log(rows.length, 'rows', JSON.stringify(totals));
`;

const fenced = (code: string): string => `I read the file.\n\`\`\`js\n${code}\`\`\``;
const task = (task_id: string, task_type = 'eda', instruction = 'Sum the sales by region.'): Step => [
  'Plan.append_task',
  { task_id, dependent_task_ids: [], instruction, assignee: 'David', task_type },
];
const write: Step = ['DataAnalyst.write_and_exec_code', { instruction: 'Sum amount by region.' }];
const finish: Step = ['Plan.finish_current_task', {}];
const reply: Step = ['RoleZero.reply_to_human', { content: 'North sold 42.' }];
const end: Step = ['end', {}];

/** Lets an analyst work on the sales. `other`: its programs, in order. */
async function analyze(
  think: string[],
  other: string[],
  runtime: Runtime = javascript(),
  programTimeoutMs = 60_000,
) {
  const model = scriptedModel({ think, other });
  const analyst = new DataAnalyst({ model, tools: editor(), runtime, programTimeoutMs });
  const ran = await runRole(analyst, 'Which region sold most?', { files: { '/sales.csv': SALES } });
  const outputs = ran.events.flatMap((event) =>
    event.type === 'command-end' && event.name.endsWith('write_and_exec_code') ? [event.output] : [],
  );
  const requests = model.requests
    .filter(({ purpose }) => purpose === 'other')
    .map(({ messages }) => messages.at(-1)?.content as string);
  return { ...ran, plan: analyst.plan, outputs, requests, requestsOfModel: model.requests };
}

describe('a data analyst', () => {
  it('plans, writes a program, runs it, and checks its result', async () => {
    const { files, outputs, plan, requests } = await analyze(
      [commands(task('1'), write), commands(finish, reply, end)],
      [fenced(TOTALS)],
    );
    expect(outputs).toEqual([
      `Command DataAnalyst.write_and_exec_code executed: Code written to /analysis/task-1.mjs:\n${TOTALS.trimEnd()}\n\nExecution status: Success.\n\nExecution result:\n3 rows {"north":42,"south":5}`,
    ]);
    expect(files).toEqual({
      '/analysis/task-1.mjs': TOTALS,
      '/sales.csv': SALES,
      '/totals.json': '{"north":42,"south":5}',
    });
    expect(plan.tasks).toMatchObject([
      { code: TOTALS, result: '3 rows {"north":42,"south":5}', isSuccess: true, isFinished: true },
    ]);
    expect(requests).toEqual([
      expect.stringMatching(
        /## Current Task\nSum the sales by region\.[^]*Count missing values[^]*write a program in JavaScript[^]*Sum amount by region\./u,
      ),
    ]);
  });

  it('names the task types of MetaGPT in its prompt', async () => {
    const { requestsOfModel } = await analyze([commands(reply, end)], []);
    const prompt = JSON.stringify(requestsOfModel.find(({ purpose }) => purpose === 'think')?.messages);
    for (const name of ['eda', 'data preprocessing', 'model evaluate'])
      expect(prompt).toContain(`- ${name}: `);
    expect(prompt).toContain('DataAnalyst.write_and_exec_code');
  });

  it('corrects a program that fails', async () => {
    const { outputs, requests, files } = await analyze(
      [commands(task('1'), ['write_and_exec_code', {}]), commands(finish, reply, end)],
      [fenced("throw new Error('no column total');\n"), fenced(TOTALS)],
    );
    expect(requests[1]).toMatch(/^The program failed\. Its output:\n[^]*no column total[^]*what was wrong/u);
    expect(outputs[0]).toContain('Execution status: Success.');
    expect(files['/analysis/task-1.mjs']).toBe(TOTALS);
  });

  it('gives up after three programs, and discards what they changed', async () => {
    const bad = fenced(
      "import { writeFileSync } from 'node:fs';\nwriteFileSync('/half.txt', 'x');\nprocess.exit(3);\n",
    );
    const { files, outputs, plan } = await analyze(
      [commands(task('1'), write), commands(reply, end)],
      [bad, bad, bad, fenced(TOTALS)],
    );
    expect(outputs[0]).toMatch(
      /3 programs failed, and their changes were discarded\. The last one:[^]*Execution status: Failed\.[^]*\(It printed nothing\.\)/u,
    );
    expect(Object.keys(files)).toEqual(['/sales.csv']);
    expect(plan.tasks).toMatchObject([{ code: '', isSuccess: false, isFinished: true }]);
  });

  it('stops a program that takes too long', async () => {
    const endless = fenced('for (;;) {}\n');
    const { requests } = await analyze(
      [commands(task('1'), write), commands(finish, reply, end)],
      [endless, fenced(TOTALS)],
      javascript(),
      500,
    );
    expect(requests[1]).toContain('It was stopped after 0.5 seconds.');
  });

  it('writes and stores a program once, however late the user allows it', async () => {
    const storage = memoryStorage();
    const visit = (model: ChatModel, answer: string | null) => {
      const analyst = new DataAnalyst({
        model,
        runtime: javascript(),
        policy: [{ tool: 'DataAnalyst.*', do: 'ask' }],
      });
      const opened = Session.open({
        storage,
        name: 'asked',
        takeOver: true,
        roles: [analyst],
        askUser: async () => answer,
        emit: () => {},
      });
      return opened.then((session) => ({ session, analyst }));
    };
    const think = [commands(task('1'), write), commands(finish, reply, end)];
    const first = await visit(scriptedModel({ think: think.slice(0, 1), other: [fenced(TOTALS)] }), null);
    await first.session.files.write('/sales.csv', SALES);
    expect((await (await first.session.send('Go.')).result).status).toBe('waiting');
    expect(await first.session.files.stat('/totals.json')).toBeNull();
    const again = await visit(scriptedModel({ think: think.slice(1) }), 'yes');
    expect((await (await again.session.resume()).result).status).toBe('done');
    expect(await again.session.files.read('/totals.json')).toBe('{"north":42,"south":5}');
    expect(again.analyst.plan.tasks).toMatchObject([{ code: TOTALS, isSuccess: true, isFinished: true }]);
  });

  it('needs a task', async () => {
    const { outputs, requests } = await analyze([commands(write), commands(reply, end)], [fenced(TOTALS)]);
    expect(outputs).toEqual([expect.stringContaining('There is no current task.')]);
    expect(requests).toEqual([]);
  });

  it('finishes all tasks when it ends, and says so', async () => {
    const { events, plan } = await analyze([commands(task('1'), task('2'), reply, end)], []);
    expect(plan.tasks.map(({ isFinished }) => isFinished)).toEqual([true, true]);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'command-end',
        name: 'end',
        output: expect.stringContaining('All tasks are finished.') as string,
      }),
    );
  });

  it('rejects a runtime without Python and JavaScript', () => {
    const runtime: Runtime = {
      name: 'SQLite',
      commands: ['sqlite3'],
      run: () => Promise.reject(new Error('no')),
    };
    for (const bad of [runtime, undefined as unknown as Runtime])
      expect(() => new DataAnalyst({ runtime: bad })).toThrow(
        '`runtime` of DataAnalyst must run Python or JavaScript',
      );
  });
});
