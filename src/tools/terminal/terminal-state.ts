import { isRecord, type JsonValue } from '../../core/json.js';
import type { ShellMemory } from './shell.js';

/** Background job as stored in the session: enough to run it again from the start after a reload. */
export interface StoredJob {
  cmd: string;
  memory: ShellMemory;
}

type StoredTerminal = Record<string, JsonValue>;

/** Loads the state after the last command, or the initial state. */
export function loadMemory(stored: StoredTerminal, start: ShellMemory): ShellMemory {
  return readShellMemory(stored, start);
}

export function saveMemory(stored: StoredTerminal, { cwd, env, functions }: ShellMemory): void {
  Object.assign(stored, { cwd, env, functions });
}

/** Loads the background jobs whose output was not collected yet, by handle. */
export function loadJobs(stored: StoredTerminal): Map<string, StoredJob> {
  const jobs = new Map<string, StoredJob>();
  for (const [handle, job] of Object.entries(isRecord(stored['jobs']) ? stored['jobs'] : {})) {
    if (!isRecord(job) || typeof job['cmd'] !== 'string') continue;
    const memory = readShellMemory(job, { cwd: '/', env: {}, functions: {} });
    jobs.set(handle, { cmd: job['cmd'], memory });
  }
  return jobs;
}

export function addJob(stored: StoredTerminal, { cmd, memory }: StoredJob): string {
  const last = typeof stored['last_job'] === 'number' ? stored['last_job'] : 0;
  const handle = String(last + 1);
  const { cwd, env, functions } = memory;
  stored['last_job'] = last + 1;
  stored['jobs'] = { ...recordOrEmpty(stored['jobs']), [handle]: { cmd, cwd, env, functions } };
  return handle;
}

export function removeJob(stored: StoredTerminal, handle: string): void {
  const { [handle]: _removed, ...others } = recordOrEmpty(stored['jobs']);
  stored['jobs'] = others;
}

function readShellMemory(stored: Record<string, unknown>, otherwise: ShellMemory): ShellMemory {
  const { cwd, env, functions } = stored;
  return {
    cwd: typeof cwd === 'string' ? cwd : otherwise.cwd,
    env: isRecord(env) ? textEntries(env) : otherwise.env,
    functions: isRecord(functions) ? textEntries(functions) : otherwise.functions,
  };
}

function recordOrEmpty(value: JsonValue | undefined): StoredTerminal {
  return isRecord(value) ? value : {};
}

function textEntries(entries: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
