import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../scripts/eval/report.js';
import { KINDS } from '../../scripts/eval/task.js';
import { TASKS } from '../../scripts/eval/tasks/index.js';
import { CAUSES, mistakenReply } from '../eval/mistaken-model.js';
import { readRequest, solvingReply } from '../eval/model.js';
import { SOLUTIONS } from '../eval/solutions.js';
import { hold, refusal } from '../fault-server/replies.js';
import { browsersLeft, endpoint, KEY, place, server, startScript, useTry } from './try-run.js';
useTry();

const evaluate = (...line: string[]) =>
  startScript(
    'scripts/eval/main.ts',
    ...endpoint(),
    '--reply-format',
    'text',
    '--preset',
    'full',
    '--out',
    join(place, 'report.json'),
    ...line,
  );
const only = (ids: readonly string[]) => ids.flatMap((id) => ['--only', id]);
const report = async () => JSON.parse(await readFile(join(place, 'report.json'), 'utf8')) as Report;
const solve = solvingReply(SOLUTIONS);

describe('npm run eval', () => {
  it('solves a task of each kind with a model that can, in the worker and in a loop of the AI SDK', async () => {
    server.script([solve], 'repeat');
    const ids = KINDS.map((kind) => TASKS.findLast(({ id }) => id.startsWith(`${kind}/`))?.id ?? '');
    const { code, stdout, stderr } = await evaluate(...only(ids), '--compare', 'ai-sdk', '--concurrency', '3')
      .ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^all +10 of 10 .*\nNo failures\.[^]*^all +10 of 10 .*\nNo failures\./mu);
    const { attempts, planned, totals } = await report();
    expect(attempts.map(({ task, loop }) => `${task} ${loop}`).sort()).toEqual(
      ids.flatMap((id) => [`${id} ai-sdk`, `${id} rolezero`]).sort(),
    );
    expect(planned).toBe(20);
    expect(totals.rolezero).toMatchObject({ solved: 10, invalidReplies: 0 });
    expect(totals.rolezero?.promptTokens).toBe((totals.rolezero?.calls ?? 0) * 100);
    expect(browsersLeft()).toEqual([]);
  });

  it('names the cause of each failure of a model that makes mistakes', { tags: 'nightly' }, async () => {
    server.script([mistakenReply], 'repeat');
    const { code } = await evaluate(...only(Object.keys(CAUSES)), '--concurrency', '3').ended;
    expect(code).toBe(0);
    const { attempts } = await report();
    expect(Object.fromEntries(attempts.map(({ task, cause }) => [task, cause]))).toEqual(CAUSES);
    expect(browsersLeft()).toEqual([]);
  });

  it('ends a task without a reply at its time limit', async () => {
    server.script([mistakenReply], 'repeat');
    const { code, stdout } = await evaluate('--only', 'create/counter', '--minutes', '0.02').ended;
    expect(code).toBe(0);
    expect(stdout).toContain('✗ create/counter, rolezero: timeout');
  });

  it('stops at Ctrl+C, and reports what was done until then', async () => {
    server.script(
      [(seen) => (readRequest(seen.body)?.task.id === 'edit/price' ? solve(seen) : [hold])],
      'repeat',
    );
    const { child, ended, until } = evaluate('--only', 'edit');
    await until('✓ edit/price');
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(3);
    expect(stdout).toContain('Incomplete: 1 of 3 attempts.');
    expect((await report()).attempts).toMatchObject([{ task: 'edit/price', solved: true }]);
    expect(browsersLeft()).toEqual([]);
  });

  it('ends when the server refuses every request, without the key in its output', async () => {
    server.script([refusal(401, `The key ${KEY} is wrong.`)], 'repeat');
    const { code, stdout, stderr } = await evaluate('--only', 'edit', '--compare', 'ai-sdk').ended;
    expect(code).toBe(1);
    expect(stdout).toContain('Incomplete: 5 of 6 attempts.');
    expect(stdout).toContain('The key [key] is wrong.');
    expect(stdout + stderr + JSON.stringify(await report())).not.toContain(KEY);
  });
});
