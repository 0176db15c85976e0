import { defined } from '../../core/defined.js';
import { RoleZeroError, toRoleZeroError } from '../../core/error.js';
import { isRecord, type JsonValue } from '../../core/json.js';
import type { NetworkAccess, Runtime } from '../../core/program.js';
import * as s from '../../core/schema.js';
import { builtInTool, withHints, type Effect, type Tool, type ToolContext } from '../../core/tool.js';
import { clip } from './clip.js';
import { Jobs } from './jobs.js';
import {
  mayWrite,
  type ProgramsOf,
  type Shell,
  type ShellMemory,
  type ShellRequest,
  type ShellResult,
} from './shell.js';
import { settings, type TerminalOptions, type TerminalSettings } from './terminal-options.js';

/** Maximum number of concurrent background jobs per role. */
const MAX_JOBS = 4;
/** Maximum seconds that one command may wait for a job. */
const MAX_WAIT = 60;
/** Milliseconds in addition to a command's own limit, for loading a worker, also after failed attempts, and for terminating it. */
const OVERHEAD = 60_000;
/** Maximum number of changed files of a job that are listed. */
const MAX_NAMED_FILES = 20;

const handle = s.id({ description: 'The number the job was given when it was started.' });
/** Maximum characters of a command line that are repeated to the model. */
const MAX_ECHO = 1000;
/** Output of at most this many characters is easily overlooked. */
const SHORT = 10;
/** Milliseconds that a program has in addition, so that the command line as a whole ends first. */
const MARGIN = 100;

/** Shared data of the commands of one Terminal. */
interface Terminal extends TerminalSettings {
  shell: Shell;
  programsOf: ProgramsOf;
  jobs: Jobs;
  /** Directory, variables and functions of the first command. */
  start: ShellMemory;
}

/**
 * Creates the Terminal commands on top of a shell. All persistent data is in the role's state, and a command's changes are in its
 * transaction. A command that fails with an exit code is complete, as in any shell: its changes remain. The changes of a command that was
 * stopped, by its time limit or by the user, are discarded.
 */
export function terminalTools(shell: Shell, options: TerminalOptions): Tool[] {
  const chosen = settings(options);
  const start = { cwd: chosen.workingDirectory, env: { ...chosen.env }, functions: {} };
  const programsOf = programsOfRuntimes(chosen.runtimes);
  const terminal: Terminal = { ...chosen, shell, programsOf, jobs: new Jobs(shell, programsOf), start };
  return withHints(
    [runCommandTool, getOutput, stopJob].map((make) => make(terminal)),
    { small: false, changes: 'visible', neededFor: 'work', tests: true },
  );
}

function runCommandTool(terminal: Terminal): Tool {
  const { network, runtimes, timeoutMs } = terminal;
  return builtInTool({
    name: 'Terminal.run_command',
    hints: { small: { description: 'Run a shell command.', place: 31 }, rawResult: true },
    approval: () => 'run this in its terminal',
    activity: { verb: 'Running', argument: 'cmd' },
    description:
      'Run a command line in a bash-like shell over the files of this workspace. Directory, variables and functions last from one ' +
      'command to the next. There are ls, cat, head, tail, wc, grep, rg, find, xargs, sed, awk, sort, uniq, cut, tr, diff, jq, cp, mv, ' +
      `rm, mkdir, tree, du, md5sum, gzip, base64, date and the like${network === null ? '' : ', and curl'}; ${describePrograms(runtimes)}, ` +
      `no server can be run, and nothing asks for input. A command may take ${timeoutMs / 1000} seconds; "daemon": true runs it in the ` +
      'background on a copy of the files, and Terminal.get_stdout_output fetches its output and its changes.',
    input: s.args({
      cmd: s.string({
        minLength: 1,
        maxLength: 200_000,
        description: 'The command line, or a script of several lines.',
      }),
      daemon: s.withDefault(s.boolean({ description: 'Run it in the background. Default: false.' }), false),
    }),
    aliases: { command: 'cmd', background: 'daemon' },
    ...leaving(network),
    composes: true,
    timeoutMs: timeoutMs + OVERHEAD,
    async run({ cmd, daemon }, context) {
      const known = loadMemory(context.state, terminal.start);
      const gone = (await context.files.stat(known.cwd))?.type !== 'directory';
      const memory = gone ? { ...known, cwd: '/' } : known;
      if (daemon) return startJob(terminal, cmd, memory, context);
      const text = await runNow(terminal, cmd, memory, context);
      return gone ? `${text}\n[The directory ${known.cwd} is gone; this command ran in /.]` : text;
    },
  });
}

/** Says which programs there are, and which of the usual ones are missing. */
function describePrograms(runtimes: readonly Runtime[]): string {
  const present = runtimes.flatMap(({ commands }) => commands);
  const missing = ['node', 'python', 'npm', 'git'].filter((name) => !present.includes(name));
  const has = present.length === 0 ? [] : [`there are ${present.join(', ')}`];
  const lacks = missing.length === 0 ? [] : [`there is no ${inWords(missing)}`];
  return [...has, ...lacks].join('; ');
}

function inWords(names: readonly string[]): string {
  return names.length === 1 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

async function runNow(
  { shell, programsOf, timeoutMs, maxOutput, network }: Terminal,
  cmd: string,
  memory: ShellMemory,
  context: ToolContext,
): Promise<string> {
  const { files, state, signal } = context;
  const isOffline = context.needsNetwork !== undefined;
  const shown = defined({ shown: context.shownFiles });
  const request = { cmd, memory, timeoutMs, maxOutput, network, isOffline, ...shown };
  const result = await shell.run(request, files, signal, programsOf);
  if (result.needed !== undefined) context.needsNetwork?.(result.needed);
  saveMemory(state, result.memory ?? memory);
  for (const origin of result.fetched) context.untrusted?.(origin);
  const output = allOutput(result);
  if (output !== '') context.output(output);
  return observation(cmd, result);
}

async function startJob(
  terminal: Terminal,
  cmd: string,
  memory: ShellMemory,
  context: ToolContext,
): Promise<string> {
  const running = loadJobs(context.state).size;
  if (running >= MAX_JOBS) {
    throw new RoleZeroError(
      'invalid',
      `There are ${running} background jobs already. Fetch the output of one with Terminal.get_stdout_output, or end one with Terminal.stop_job.`,
    );
  }
  const job = addJob(context.state, { cmd, memory });
  await terminal.jobs.start(jobKey(job, context), jobRequest(terminal, cmd, memory), context.files);
  return `\n[command]: ${clip(cmd, 1000)} \n[job]: ${job} was started in the background. Fetch its output and its changes with Terminal.get_stdout_output {"job": "${job}"}.`;
}

/** Has no network access, because a lost job runs again. */
function jobRequest({ jobTimeoutMs, maxOutput }: Terminal, cmd: string, memory: ShellMemory): ShellRequest {
  return { cmd, memory, timeoutMs: jobTimeoutMs, maxOutput, network: null };
}

/** Returns the name of a job among those of all sessions and roles. */
function jobKey(job: string, { session }: ToolContext): string {
  return `${session.name}/${session.role}/${job}`;
}

function getOutput(terminal: Terminal): Tool {
  return builtInTool({
    name: 'Terminal.get_stdout_output',
    activity: { verb: 'Reading the output of the terminal' },
    description:
      'Fetch the output of background jobs that have ended; their file changes are applied now, over later changes of the same files.',
    input: s.args({
      job: s.described(s.optional(handle), 'The number of one job. Default: all.'),
      wait_seconds: s.withDefault(
        s.number({
          minimum: 0,
          maximum: MAX_WAIT,
          description: `How long to wait for the end of the job, at most ${MAX_WAIT}. Default: 0.`,
        }),
        0,
      ),
    }),
    aliases: { job_id: 'job', id: 'job', wait: 'wait_seconds' },
    timeoutMs: MAX_WAIT * 1000 * MAX_JOBS + OVERHEAD,
    async run({ job, wait_seconds }, context) {
      const known = loadJobs(context.state);
      if (job === undefined && known.size === 0) return 'There are no background jobs.';
      if (job !== undefined) needJob(known.keys(), job);
      const deadline = AbortSignal.timeout(wait_seconds * 1000);
      const texts: string[] = [];
      for (const [each, started] of known)
        if (job === undefined || job === each)
          texts.push(`[job]: ${each} ${await jobOutput(terminal, each, started, deadline, context)}`);
      return texts.join('\n\n');
    },
  });
}

/** Waits for a job until the deadline. Returns its output, or why there is none yet. */
async function jobOutput(
  terminal: Terminal,
  job: string,
  { cmd, memory }: StoredJob,
  deadline: AbortSignal,
  context: ToolContext,
): Promise<string> {
  const { jobs } = terminal;
  const place = jobKey(job, context);
  const lost = !jobs.has(place);
  if (lost) await jobs.start(place, jobRequest(terminal, cmd, memory), context.files);
  if (!(await jobs.wait(place, deadline, context.signal))) {
    const why = lost ? ' It was lost with the page that ran it and runs again from its start.' : '';
    return `is still running.${why}`;
  }
  removeJob(context.state, job);
  const end = await jobs.collect(place, context.files);
  if ('error' in end) return `was aborted. ${given(end.error)}`;
  return `has ended.${observation(cmd, end.result)}${changesText(end.changed)}`;
}

function stopJob({ jobs }: Terminal): Tool {
  return builtInTool({
    name: 'Terminal.stop_job',
    activity: { verb: 'Stopping a background job' },
    description: 'End a background job; its output and its changes are dropped.',
    input: s.args({ job: handle }),
    aliases: { job_id: 'job', id: 'job' },
    run({ job }, context) {
      needJob(loadJobs(context.state).keys(), job);
      jobs.stop(jobKey(job, context));
      removeJob(context.state, job);
      return `Job ${job} was stopped; its output and changes were discarded.`;
    },
  });
}

/**
 * Returns a command's effects outside the session. Without network access, there are none. A command itself reports the origins it fetched.
 */
function leaving(
  network: NetworkAccess | null,
): { effect: Effect; trusted?: true; asksForNetwork?: true } & (
  { replay: 'atomic' | 'idempotent' } | { replay: 'unsafe'; onAmbiguous: 'ask' }
) {
  if (network === null) return { effect: 'session', replay: 'atomic' };
  return mayWrite(network)
    ? { effect: 'egress-write', trusted: true, asksForNetwork: true, replay: 'unsafe', onAmbiguous: 'ask' }
    : { effect: 'egress-read', trusted: true, asksForNetwork: true, replay: 'idempotent' };
}

/** Returns the error message of a failed job for the model. Rethrows internal errors of the program. */
function given(error: unknown): string {
  const { code, message } = toRoleZeroError(error);
  if (code === 'tool-timeout' || code === 'tool-failed' || code === 'worker-start') return message;
  throw error;
}

function needJob(known: Iterable<string>, job: string): void {
  const all = [...known];
  if (all.includes(job)) return;
  const advice = all.length === 0 ? 'There are none.' : `There is ${all.join(', ')}.`;
  throw new RoleZeroError('not-found', `There is no background job ${job}. ${advice}`, { job });
}

function changesText(changed: readonly string[]): string {
  if (changed.length === 0) return '';
  const more = changed.length > MAX_NAMED_FILES ? ` and ${changed.length - MAX_NAMED_FILES} more` : '';
  return `\n[changed files]: ${changed.slice(0, MAX_NAMED_FILES).join(', ')}${more}`;
}

/** Returns all output of a command: standard output, then standard error. */
function allOutput({ stdout, stderr }: ShellResult): string {
  return stdout + (stdout === '' || stdout.endsWith('\n') || stderr === '' ? '' : '\n') + stderr;
}

/** Formats the result of a command for the model, including a nonzero exit code. */
function observation(cmd: string, result: ShellResult): string {
  const output = allOutput(result);
  const hint = output.length <= SHORT ? ' (pay attention to this.)' : '';
  const lines = [`\n[command]: ${clip(cmd, MAX_ECHO)} \n[command output] : ${output}${hint}`];
  if (result.exitCode !== 0) lines.push(`[exit code]: ${result.exitCode}`);
  if (result.unsent !== undefined) lines.push(`[not sent]: ${result.unsent}`);
  if (result.memory === null)
    lines.push(
      '[The shell ended here. The next command gets a new one, in the directory and with the variables from before this one.]',
    );
  return lines.reduce((text, line) => `${text}${text.endsWith('\n') ? '' : '\n'}${line}`);
}

/** Returns the programs of these runtimes for command lines. */
function programsOfRuntimes(runtimes: readonly Runtime[]): ProgramsOf {
  const byCommand = new Map(
    runtimes.flatMap((runtime) => runtime.commands.map((name) => [name, runtime] as const)),
  );
  return ({ network, isOffline = false, timeoutMs }, files) => {
    const deadline = performance.now() + timeoutMs + MARGIN;
    return {
      commands: [...byCommand.keys()],
      run(program, caller) {
        const runtime = byCommand.get(program.command);
        if (runtime === undefined) throw new RoleZeroError('internal', `No runtime has ${program.command}.`);
        const left = Math.max(1, deadline - performance.now());
        return runtime.run(program, { ...caller, files, network, isOffline, timeoutMs: left });
      },
    };
  };
}

/** Background job as stored in the session: enough to run it again from the start after a reload. */
interface StoredJob {
  cmd: string;
  memory: ShellMemory;
}

type StoredTerminal = Record<string, JsonValue>;

/** Loads the state after the last command, or the initial state. */
function loadMemory(stored: StoredTerminal, start: ShellMemory): ShellMemory {
  return readShellMemory(stored, start);
}

function saveMemory(stored: StoredTerminal, { cwd, env, functions }: ShellMemory): void {
  Object.assign(stored, { cwd, env, functions });
}

/** Loads the background jobs whose output was not collected yet, by handle. */
function loadJobs(stored: StoredTerminal): Map<string, StoredJob> {
  const jobs = new Map<string, StoredJob>();
  for (const [handle, job] of Object.entries(isRecord(stored['jobs']) ? stored['jobs'] : {})) {
    if (!isRecord(job) || typeof job['cmd'] !== 'string') continue;
    const memory = readShellMemory(job, { cwd: '/', env: {}, functions: {} });
    jobs.set(handle, { cmd: job['cmd'], memory });
  }
  return jobs;
}

function addJob(stored: StoredTerminal, { cmd, memory }: StoredJob): string {
  const last = typeof stored['last_job'] === 'number' ? stored['last_job'] : 0;
  const handle = String(last + 1);
  const { cwd, env, functions } = memory;
  stored['last_job'] = last + 1;
  stored['jobs'] = { ...recordOrEmpty(stored['jobs']), [handle]: { cmd, cwd, env, functions } };
  return handle;
}

function removeJob(stored: StoredTerminal, handle: string): void {
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
