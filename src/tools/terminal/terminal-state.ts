import { isRecord, type JsonValue } from '../../core/json.js';
import type { ShellMemory } from './shell.js';

/** Background job as stored in the session: enough to run it again from the start after a reload. */
export interface StoredJob {
  cmd: string;
  memory: ShellMemory;
}

type StoredState = Record<string, JsonValue>;

/** Loads the state after the last command, or the initial state. */
export function loadMemory(stored: StoredState, start: ShellMemory): ShellMemory {
  return readMemory(stored, start);
}

export function saveMemory(stored: StoredState, { cwd, env, functions }: ShellMemory): void {
  Object.assign(stored, { cwd, env, functions });
}

/** Loads the background jobs whose output was not collected yet, by handle. */
export function loadJobs(stored: StoredState): Map<string, StoredJob> {
  const jobs = new Map<string, StoredJob>();
  for (const [handle, job] of Object.entries(isRecord(stored['jobs']) ? stored['jobs'] : {})) {
    if (!isRecord(job) || typeof job['cmd'] !== 'string') continue;
    const memory = readMemory(job, { cwd: '/', env: {}, functions: {} });
    jobs.set(handle, { cmd: job['cmd'], memory });
  }
  return jobs;
}

export function addJob(stored: StoredState, { cmd, memory }: StoredJob): string {
  const last = typeof stored['last_job'] === 'number' ? stored['last_job'] : 0;
  const handle = String(last + 1);
  const { cwd, env, functions } = memory;
  stored['last_job'] = last + 1;
  stored['jobs'] = { ...record(stored['jobs']), [handle]: { cmd, cwd, env, functions } };
  return handle;
}

export function removeJob(stored: StoredState, handle: string): void {
  const { [handle]: _removed, ...others } = record(stored['jobs']);
  stored['jobs'] = others;
}

function readMemory(stored: Record<string, unknown>, otherwise: ShellMemory): ShellMemory {
  const { cwd, env, functions } = stored;
  return {
    cwd: typeof cwd === 'string' ? cwd : otherwise.cwd,
    env: isRecord(env) ? texts(env) : otherwise.env,
    functions: isRecord(functions) ? texts(functions) : otherwise.functions,
  };
}

function record(value: JsonValue | undefined): StoredState {
  return isRecord(value) ? value : {};
}

function texts(entries: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
