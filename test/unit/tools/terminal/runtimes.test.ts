import { describe, expect, it } from 'vitest';
import type { ProgramHost, Program, ProgramResult, Runtime } from '../../../../src/core/program.js';
import { terminal } from '../../../../src/tools/terminal/node.js';
import { play, run, shown, write } from './harness.js';

/** A runtime with one command, `prog`. */
function runtimeOf(body: (program: Program, host: ProgramHost) => Promise<ProgramResult>): Runtime {
  return { name: 'Test', commands: ['prog'], run: body };
}

const ok = (stdout: string | Uint8Array = ''): ProgramResult => ({ stdout, stderr: '', exitCode: 0 });

/** Ends only when it is stopped. */
const endless = runtimeOf(
  (_program, { signal }) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    ),
);

describe('a runtime of the terminal', () => {
  it('receives arguments, input, directory and exported variables, and works in pipes', async () => {
    const seen: Omit<Program, 'stdin'>[] = [];
    const runtime = runtimeOf(({ stdin, ...program }) => {
      seen.push(program);
      return Promise.resolve(ok(new TextDecoder().decode(stdin).toUpperCase()));
    });
    const line = 'mkdir /d; cd /d; export A=1; B=2; echo "é x" | prog a "b c" | tr X Y';
    const { outputs } = await play([run(line)], { runtimes: [runtime] });
    expect(shown(outputs[0])).toBe('É Y\n');
    expect(seen).toEqual([
      { command: 'prog', args: ['a', 'b c'], cwd: '/d', env: expect.objectContaining({ A: '1' }) as object },
    ]);
    expect(seen[0]?.env).not.toHaveProperty('B');
  });

  it('passes bytes on unchanged', async () => {
    const runtime = runtimeOf(() => Promise.resolve(ok(Uint8Array.of(0, 255, 10, 200))));
    const { outputs } = await play([run('prog > /b; prog | base64')], { runtimes: [runtime] });
    expect(shown(outputs[0])).toBe('AP8KyA==\n');
  });

  it('changes files in the transaction of its command line, and reports its exit code', async () => {
    const runtime = runtimeOf(async (_program, { files }) => {
      await files.write('/out', (await files.read('/in')) + '!');
      return { stdout: 'out\n', stderr: 'warning\n', exitCode: 3 };
    });
    const steps = [write('/in', 'x'), run('prog; echo $? >> /out'), run('cat /out')];
    const { outputs, files } = await play(steps, { runtimes: [runtime] });
    expect(shown(outputs[1])).toBe('out\nwarning\n');
    expect(files['/out']).toBe('x!3\n');
  });

  it('changes files that the command line has listed before', async () => {
    const runtime = runtimeOf(async (_program, { files, exec }) => {
      await files.write('/out', 'grown');
      const { stdout } = await exec('[ -s /out ] && echo seen', { cwd: '/' });
      return ok(stdout);
    });
    const line = 'ls / > /dev/null; [ -s /out ] || echo empty; prog; [ -s /out ] && echo grown';
    const { outputs } = await play([write('/out', ''), run(line)], { runtimes: [runtime] });
    expect(shown(outputs[1])).toBe('empty\nseen\ngrown\n');
  });

  it('runs command lines in the shell that called it', async () => {
    const runtime = runtimeOf(async ({ cwd, args: [line = ''] }, { exec }) =>
      exec(line, { cwd, env: { X: 'given' } }),
    );
    const { outputs } = await play([run('mkdir /d; cd /d; prog "echo \\$X; pwd; exit 4"; echo $?')], {
      runtimes: [runtime],
    });
    expect(shown(outputs[0])).toBe('given\n/d\n4\n');
  });

  it('ends with exit code 1 and the message when it fails', async () => {
    const runtime = runtimeOf(() => Promise.reject(new Error('it broke')));
    const { outputs } = await play([run('prog || echo failed')], { runtimes: [runtime] });
    expect(shown(outputs[0])).toBe('failed\nprog: it broke\n');
  });

  it('is stopped at the time limit, with its changes discarded, and the session continues', async () => {
    const { outputs, files } = await play([run('echo x > /f; prog'), run('ls /; echo next')], {
      runtimes: [endless],
      timeoutMs: 300,
    });
    expect(outputs[0]).toContain('The command was stopped after 0.3 seconds');
    expect(shown(outputs[1])).toBe('next\n');
    expect(files).toEqual({});
  });

  it('is stopped by the timeout command', async () => {
    const { outputs } = await play([run('timeout 0.1 prog; echo $?')], { runtimes: [endless] });
    expect(shown(outputs[0])).toBe('124\n');
  });

  it('cannot start itself without end', async () => {
    const runtime = runtimeOf(({ cwd }, { exec }) => exec('prog; echo done', { cwd }));
    const { outputs } = await play([run('prog')], { runtimes: [runtime] });
    expect(shown(outputs[0])).toContain('16 programs are running already; no more can start');
  });

  it('is found by which and named in the description of the command', async () => {
    const { outputs } = await play([run('which prog')], { runtimes: [endless] });
    expect(shown(outputs[0])).toBe('/usr/bin/prog\n');
    const [first] = terminal({ runtimes: [endless] });
    expect(first?.description).toContain('there are prog; there is no node, python, npm or git');
  });

  it('is refused when it is no runtime, or when its command is taken', () => {
    expect(() => terminal({ runtimes: ['javascript' as unknown as Runtime] })).toThrow(
      '`runtimes` of terminal() must be runtimes, such as javascript() from \'rolezero/runtimes/javascript\', but one is "javascript".',
    );
    expect(() => terminal({ runtimes: [endless, endless] })).toThrow(
      'Two runtimes of terminal() have the command prog.',
    );
  });
});

describe('a command that is not there', () => {
  it.each([
    ['node', 'javascript'],
    ['npm', 'javascript'],
    ['python', 'python'],
    ['sqlite3', 'sqlite'],
    ['git', 'git'],
  ])('%s names the part that has it', async (command, part) => {
    const { outputs } = await play([run(`${command} --version`)]);
    expect(shown(outputs[0])).toBe(
      `bash: ${command}: command not found\n${command} is not part of this terminal. Continue without it. The application can add it: ` +
        `terminal({ runtimes: [${part}()] }) with import { ${part} } from 'rolezero/runtimes/${part}'.\n[exit code]: 127`,
    );
  });

  it('gets no advice when it is a typing mistake, and none when the message is not shown', async () => {
    const { outputs } = await play([run('nod'), run('node 2> /dev/null; echo $?')]);
    expect(shown(outputs[0])).toBe('bash: nod: command not found\n[exit code]: 127');
    expect(shown(outputs[1])).toBe('127\n');
  });

  it('names what is there in its place', async () => {
    const node: Runtime = { ...endless, commands: ['node', 'npm'] };
    const { outputs } = await play([run('yarn test')], { runtimes: [node] });
    expect(shown(outputs[0])).toBe(
      'bash: yarn: command not found\nThere is no yarn here. Use node and npm run.\n[exit code]: 127',
    );
  });
});
