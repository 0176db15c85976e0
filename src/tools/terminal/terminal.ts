import * as z from 'zod/mini';
import { RoleZeroError, toRoleZeroError } from '../../base/error.js';
import { inputSchema } from '../../base/schema.js';
import { defineTool, type Effect, type Tool, type ToolContext } from '../../base/tool.js';
import { clip } from './clip.js';
import { Jobs } from './jobs.js';
import { observation, printed } from './observation.js';
import type { NetworkAccess, Shell, ShellMemory, ShellRequest } from './shell.js';
import { settings, type TerminalOptions } from './terminal-options.js';
import { addJob, loadJobs, loadMemory, removeJob, saveMemory } from './terminal-state.js';

/** Background jobs of one role at a time. */
const MAX_JOBS = 4;
/** Seconds one command may wait for a job. */
const MAX_WAIT = 60;
/** Milliseconds beyond a command's own limit: a worker may have to be loaded first, and ended in the end. */
const OVERHEAD = 20_000;
/** Changed files of a job that are named. */
const MAX_NAMED = 20;

const handle = z
  .pipe(z.union([z.string(), z.number()]), z.transform(String))
  .check(z.describe('The number the job was given when it was started.'));

/**
 * The commands of the Terminal (spec 18) over whatever runs a command line. Everything that lasts is in the role's state; what a
 * command changes is in its transaction. A command that failed with an exit code has happened, as in any shell: its changes stay. One
 * that was stopped, by its time limit or by the person, has not.
 */
export function terminalTools(shell: Shell, options: TerminalOptions): Tool[] {
  const { workingDirectory, env, timeoutMs, jobTimeoutMs, maxOutput, network } = settings(options);
  const start: ShellMemory = { cwd: workingDirectory, env: { ...env }, functions: {} };
  const jobs = new Jobs(shell);
  const request = (cmd: string, memory: ShellMemory): ShellRequest => {
    return { cmd, memory, timeoutMs, maxOutput, network };
  };
  /** Without a network: a job that was lost is run again. */
  const jobRequest = (cmd: string, memory: ShellMemory): ShellRequest => {
    return { cmd, memory, timeoutMs: jobTimeoutMs, maxOutput, network: null };
  };
  const key = (job: string, { session }: ToolContext): string => `${session.name}/${session.role}/${job}`;

  const runCommand = defineTool({
    name: 'Terminal.run_command',
    description:
      'Run a command line in a bash-like shell over the files of this workspace. Directory, variables and functions last from one ' +
      'command to the next. There are ls, cat, head, tail, wc, grep, rg, find, xargs, sed, awk, sort, uniq, cut, tr, diff, jq, cp, mv, ' +
      `rm, mkdir, tree, du, md5sum, gzip, base64, date and the like${network === null ? '' : ', and curl'}; there is no node, python, npm or git, ` +
      `no server can be run, and nothing asks for input. A command may take ${timeoutMs / 1000} seconds; "daemon": true runs it in the ` +
      'background on a copy of the files, and Terminal.get_stdout_output fetches its output and its changes.',
    input: inputSchema(
      z.strictObject({
        cmd: z
          .string()
          .check(
            z.minLength(1),
            z.maxLength(200_000),
            z.describe('The command line, or a script of several lines.'),
          ),
        daemon: z._default(z.boolean(), false).check(z.describe('Run it in the background. Default: false.')),
      }),
    ),
    aliases: { command: 'cmd', background: 'daemon' },
    ...leaving(network),
    composes: true,
    timeoutMs: timeoutMs + OVERHEAD,
    async run({ cmd, daemon }, context) {
      const { files, state, signal } = context;
      const known = loadMemory(state, start);
      const gone = (await files.stat(known.cwd))?.type !== 'directory';
      const memory = gone ? { ...known, cwd: '/' } : known;
      if (daemon) {
        const running = loadJobs(state).size;
        if (running >= MAX_JOBS) {
          throw new RoleZeroError(
            'invalid',
            `There are ${running} background jobs already. Fetch the output of one with Terminal.get_stdout_output, or end one with Terminal.stop_job.`,
          );
        }
        const job = addJob(state, { cmd, memory });
        await jobs.start(key(job, context), jobRequest(cmd, memory), files);
        return `\n[command]: ${clip(cmd, 1000)} \n[job]: ${job} was started in the background. Fetch its output and its changes with Terminal.get_stdout_output {"job": "${job}"}.`;
      }
      const result = await shell.run(request(cmd, memory), files, signal);
      saveMemory(state, result.memory ?? memory);
      for (const origin of result.fetched) context.untrusted?.(origin);
      const output = printed(result);
      if (output !== '') context.output(output);
      const note = gone ? `\n[The directory ${known.cwd} is gone; this command ran in /.]` : '';
      return observation(cmd, result) + note;
    },
  });

  const getOutput = defineTool({
    name: 'Terminal.get_stdout_output',
    description:
      'Fetch the output of background jobs that have ended; what they changed in the files is made real now, over later changes of the same files.',
    input: inputSchema(
      z.strictObject({
        job: z.optional(handle).check(z.describe('The number of one job. Default: all.')),
        wait_seconds: z
          ._default(z.number().check(z.minimum(0), z.maximum(MAX_WAIT)), 0)
          .check(z.describe(`How long to wait for the end of the job, at most ${MAX_WAIT}. Default: 0.`)),
      }),
    ),
    aliases: { job_id: 'job', id: 'job', wait: 'wait_seconds' },
    timeoutMs: MAX_WAIT * 1000 * MAX_JOBS + OVERHEAD,
    async run({ job, wait_seconds }, context) {
      const known = loadJobs(context.state);
      if (job === undefined && known.size === 0) return 'There are no background jobs.';
      if (job !== undefined) needJob(known.keys(), job);
      const deadline = AbortSignal.timeout(wait_seconds * 1000);
      const texts: string[] = [];
      for (const [each, { cmd, memory }] of known) {
        if (job !== undefined && job !== each) continue;
        const place = key(each, context);
        const lost = !jobs.has(place);
        if (lost) await jobs.start(place, jobRequest(cmd, memory), context.files);
        if (!(await jobs.wait(place, deadline, context.signal))) {
          const why = lost ? ' It was lost with the page that ran it and runs again from its start.' : '';
          texts.push(`[job]: ${each} is still running.${why}`);
          continue;
        }
        removeJob(context.state, each);
        const end = await jobs.collect(place, context.files);
        if ('error' in end) {
          texts.push(`[job]: ${each} was given up. ${given(end.error)}`);
          continue;
        }
        const { result, changed } = end;
        texts.push(`[job]: ${each} has ended.${observation(cmd, result)}${changesText(changed)}`);
      }
      return texts.join('\n\n');
    },
  });

  const stopJob = defineTool({
    name: 'Terminal.stop_job',
    description: 'End a background job; its output and its changes are dropped.',
    input: inputSchema(z.strictObject({ job: handle })),
    aliases: { job_id: 'job', id: 'job' },
    run({ job }, context) {
      needJob(loadJobs(context.state).keys(), job);
      jobs.stop(key(job, context));
      removeJob(context.state, job);
      return `Job ${job} was stopped; nothing of it was kept.`;
    },
  });

  return [runCommand, getOutput, stopJob];
}

/** What a command can do outside of the session: without a network, nothing. What it brings from there it tells itself. */
function leaving(
  network: NetworkAccess | null,
): { effect: Effect; untrusted?: false } & (
  { replay: 'atomic' | 'idempotent' } | { replay: 'unsafe'; onAmbiguous: 'ask' }
) {
  if (network === null) return { effect: 'session', replay: 'atomic' };
  const reads = (network.methods ?? []).every((method) => method === 'GET' || method === 'HEAD');
  return reads
    ? { effect: 'egress-read', untrusted: false, replay: 'idempotent' }
    : { effect: 'egress-write', untrusted: false, replay: 'unsafe', onAmbiguous: 'ask' };
}

/** What the model may know of why a job failed; what is wrong with the program is the program's. */
function given(error: unknown): string {
  const { code, message } = toRoleZeroError(error);
  if (code === 'tool-timeout' || code === 'tool-failed') return message;
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
  const more = changed.length > MAX_NAMED ? ` and ${changed.length - MAX_NAMED} more` : '';
  return `\n[changed files]: ${changed.slice(0, MAX_NAMED).join(', ')}${more}`;
}
