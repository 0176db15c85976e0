import { spawn, type ChildProcess } from 'node:child_process';

/** A tool run for an application must not notice that a test runs it. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(NODE_ENV|NODE_OPTIONS|VITEST.*|npm_.*)$/.test(name)),
  );
}

/** Runs a Node program to its end; gives what it printed. Rejects with all of its output when it fails. */
export function node(args: readonly string[], cwd: string): Promise<string> {
  return run(process.execPath, args, cwd);
}

export function npm(args: readonly string[], cwd: string): Promise<string> {
  return run('npm', ['--no-audit', '--no-fund', '--loglevel=error', ...args], cwd);
}

function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const shell = process.platform === 'win32' && command === 'npm'; // there it is a batch file
  const child = spawn(command, args, { cwd, env: environment(), shell, stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    const output = { all: '', out: '' };
    child.stdout.on('data', (data: Buffer) => {
      output.all += data.toString();
      output.out += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => (output.all += data.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output.out);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${String(code)}:\n${output.all}`));
    });
  });
}

/** Starts a Node program that goes on; resolves with the first match of `said` in its output. */
export async function start(
  args: readonly string[],
  cwd: string,
  said: RegExp,
): Promise<{ match: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, args, { cwd, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    return { match: await firstMatch(child, said), stop: () => end(child) };
  } catch (error) {
    await end(child);
    throw error;
  }
}

function firstMatch(child: ChildProcess, said: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (data: Buffer): void => {
      output += data.toString();
      const match = said.exec(output);
      if (match) resolve(match[0]);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('error', reject);
    child.on('close', () => reject(new Error(`It ended before it said ${String(said)}:\n${output}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await closed;
}
