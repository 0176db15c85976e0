import { isRecord, type JsonValue } from '../../core/json.js';
import type { ShellMemory } from './shell.js';

/** Background job as stored in the session: enough to run it again from the start after a reload. */
export interface KeptJob {
  cmd: string;
  memory: ShellMemory;
}

type Kept = Record<string, JsonValue>;

/** Loads the state after the last command, or the initial state. */
export function loadMemory(kept: Kept, start: ShellMemory): ShellMemory {
  return readMemory(kept, start);
}

export function saveMemory(kept: Kept, { cwd, env, functions }: ShellMemory): void {
  Object.assign(kept, { cwd, env, functions });
}

/** Loads the background jobs whose output was not collected yet, by handle. */
export function loadJobs(kept: Kept): Map<string, KeptJob> {
  const jobs = new Map<string, KeptJob>();
  for (const [handle, job] of Object.entries(isRecord(kept['jobs']) ? kept['jobs'] : {})) {
    if (!isRecord(job) || typeof job['cmd'] !== 'string') continue;
    const memory = readMemory(job, { cwd: '/', env: {}, functions: {} });
    jobs.set(handle, { cmd: job['cmd'], memory });
  }
  return jobs;
}

export function addJob(kept: Kept, { cmd, memory }: KeptJob): string {
  const last = typeof kept['last_job'] === 'number' ? kept['last_job'] : 0;
  const handle = String(last + 1);
  const { cwd, env, functions } = memory;
  kept['last_job'] = last + 1;
  kept['jobs'] = { ...record(kept['jobs']), [handle]: { cmd, cwd, env, functions } };
  return handle;
}

export function removeJob(kept: Kept, handle: string): void {
  const { [handle]: _removed, ...others } = record(kept['jobs']);
  kept['jobs'] = others;
}

function readMemory(kept: Record<string, unknown>, otherwise: ShellMemory): ShellMemory {
  const { cwd, env, functions } = kept;
  return {
    cwd: typeof cwd === 'string' ? cwd : otherwise.cwd,
    env: isRecord(env) ? texts(env) : otherwise.env,
    functions: isRecord(functions) ? texts(functions) : otherwise.functions,
  };
}

function record(value: JsonValue | undefined): Kept {
  return isRecord(value) ? value : {};
}

function texts(entries: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
