import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';
import { startFaultServer, type FaultServer } from '../fault-server/fault-server.js';

const SCRIPT = fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url));
export const KEY = 'sk-a-key-nobody-may-see';

export let server: FaultServer;
/** The temporary directory of one test's calls, also on the command line of each of their browsers. */
export let place: string;
let children: ChildProcess[] = [];

/** Starts a model server and makes a temporary directory for each test of the calling file. */
export function useTry(): void {
  beforeEach(async () => {
    server = await startFaultServer();
    place = await mkdtemp(join(tmpdir(), 'try-test-'));
  });
  afterEach(async () => {
    for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
    children = [];
    await server.close();
    await rm(place, { recursive: true, maxRetries: 5 });
  });
}

interface Ending {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts `npm run try`. */
export const start = (...line: string[]) => startScript('scripts/try/main.ts', ...line);

/** Starts a script; `until` resolves when its output contains a text. */
export function startScript(script: string, ...line: string[]) {
  const { PATH, HOME, CHROMIUM_PATH } = process.env;
  const env = { PATH, HOME, TMPDIR: place, ...(CHROMIUM_PATH === undefined ? {} : { CHROMIUM_PATH }) };
  const child = spawn(process.execPath, [SCRIPT, script, ...line], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const ending: Ending = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ending.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ending.stderr += text));
  const ended = once(child, 'close').then(([code]: (number | null)[]) => {
    ending.code = code ?? null;
    return ending;
  });
  const until = async (wanted: string) => {
    while (!ending.stdout.includes(wanted)) {
      const more = await Promise.race([once(child.stdout, 'data'), ended]);
      if (more === ending) throw new Error(`It ended without "${wanted}": ${JSON.stringify(ending)}`);
    }
  };
  return { child, ended, until };
}

export const run = (...line: string[]): Promise<Ending> => start(...line).ended;
export const endpoint = () => [
  '--base-url',
  server.url,
  '--model',
  'scripted',
  '--key',
  KEY,
  '--context-window',
  '8192',
];

/** The arguments of the command that a call suggests for continuing, without the placeholder for an answer. */
export function proposed(stdout: string): string[] {
  const [, line = ''] = /Continue with: npm run try -- (.*)/.exec(stdout) ?? [];
  return line.replace(" --answer 'your answer'", '').split(' ');
}

export function browsersLeft(): string[] {
  const processes = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return processes.filter((line) => line.includes(place));
}

export async function filesIn(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = async (path: string) => [path.slice(directory.length), await readFile(path, 'utf8')] as const;
  return Object.fromEntries(await Promise.all(files.map(read)));
}
