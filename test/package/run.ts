import { spawn, type ChildProcess } from 'node:child_process';

/** Environment of a tool: it must not detect a test, and prints plain text. */
function environment(): NodeJS.ProcessEnv {
  const ours = /^(NODE_ENV|NODE_OPTIONS|FORCE_COLOR|CI|VITEST.*|npm_.*)$/;
  const others = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return { ...Object.fromEntries(others), NO_COLOR: '1' };
}

/** In ms, the time for a program to print that it is ready. */
const START_TIMEOUT = 60_000;

/** Runs a Node program to its end and returns its output. Rejects with all of its output when it fails. */
export function node(args: readonly string[], cwd: string): Promise<string> {
  return run(process.execPath, args, cwd);
}

export function npm(args: readonly string[], cwd: string): Promise<string> {
  return run('npm', ['--no-audit', '--no-fund', '--loglevel=error', ...args], cwd);
}

function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const shell = process.platform === 'win32' && command === 'npm'; // On Windows it is a batch file.
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

/** Starts a Node program that keeps running. Resolves with the first match of `pattern` in its output. */
export async function start(
  args: readonly string[],
  cwd: string,
  pattern: RegExp,
): Promise<{ match: string; stop: () => Promise<void> }> {
  // With its input open, the program notices when its parent process ends: Vite then exits.
  const child = spawn(process.execPath, args, { cwd, env: environment(), stdio: 'pipe' });
  try {
    return { match: await firstMatch(child, pattern), stop: () => end(child) };
  } catch (error) {
    await end(child);
    throw error;
  }
}

function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (how: string) =>
      reject(new Error(`It ${how} before it printed ${String(pattern)}:\n${output}`));
    const timer = setTimeout(() => fail(`took more than ${START_TIMEOUT} ms`), START_TIMEOUT);
    const read = (data: Buffer): void => {
      output += data.toString();
      const match = pattern.exec(output);
      if (!match) return;
      clearTimeout(timer);
      resolve(match[0]);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      fail('ended');
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await closed;
}
