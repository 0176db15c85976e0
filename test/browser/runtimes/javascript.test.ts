import { describe, expect, test } from 'vitest';
import {
  agent,
  killDuring,
  outputs,
  run,
  useSessions,
  write,
  type Step,
} from '../tools/terminal/terminal-agent.js';

useSessions();

const start = (): Worker => new Worker(new URL('./programs.worker.ts', import.meta.url), { type: 'module' });
const agentOf = (steps: Step[], others: { name?: string; options?: { timeoutMs: number } } = {}) =>
  agent(steps, { ...others, start });

describe('JavaScript in its own worker', () => {
  test('runs tests, writes files, and works in pipes of the shell', async () => {
    const { session } = await agentOf([
      write('/sum.ts', 'export const sum = (...all: number[]): number => all.reduce((a, b) => a + b, 0);'),
      write(
        '/sum.test.ts',
        "import test from 'node:test'; import assert from 'node:assert'; import { sum } from './sum.ts';\n" +
          "test('sums', () => assert.equal(sum(1, 2), 3));\ntest('is wrong', () => assert.equal(sum(1, 2), 4));",
      ),
      run('node --test'),
      run(
        "printf \"a,1\\nb,2\\n\" | node -e \"const rows = require('fs').readFileSync(0, 'utf8').trim().split('\\n'); require('fs').writeFileSync('/n', String(rows.length)); console.log(rows)\" | tr a-z A-Z; cat /n",
      ),
    ]);
    const shown = await outputs(session.send('go'));
    expect(shown[2]).toMatch(
      /✔ sums \(.*\n✖ is wrong[^]*3 == 4[^]*ℹ pass 1\nℹ fail 1\n[^]*\[exit code\]: 1$/u,
    );
    expect(shown[3]).toBe("[ \'A,1\', \'B,2\' ]\n2");
    expect(await session.files.read('/n')).toBe('2');
  });

  test('is stopped at the time limit, leaves no changes, and the session continues', async () => {
    const loop = `node -e "require('fs').writeFileSync('/half', 'x'); for (;;);"`;
    const { session } = await agentOf(
      [run('node -p 1'), run(`echo x > /f; ${loop}`), run('ls /; node -p 2')],
      {
        options: { timeoutMs: 8_000 },
      },
    );
    const shown = await outputs(session.send('go'));
    expect(shown[1]).toContain('The command was stopped after 8 seconds');
    expect(shown[2]).toBe('2\n (pay attention to this.)');
  });

  test('has its effects exactly once after a kill of the worker', async () => {
    const slow =
      "node -e \"const fs = require('fs'); fs.appendFileSync('/log', 'line\\n'); setTimeout(() => fs.appendFileSync('/log', 'end\\n'), 500)\"";
    const killed = await agentOf([run('echo first > /log; node -p 1'), run(slow)]);
    await killDuring(killed, slow);

    const again = await agentOf([run('cat /log')], { name: killed.name });
    expect((await outputs(again.session.resume())).at(-1)).toBe('first\nline\nend\n');
  });
});
