import { Buffer } from 'buffer/';
import { describe } from '../../core/error.js';
import type { NetworkAccess } from '../../core/program.js';
import { Output } from '../output.js';
import { joinPath } from '../paths.js';
import { ProgramFiles } from '../program-files.js';
import type { SnapshotRequest, SnapshotResult } from '../snapshot.js';
import { branch, checkout, merge, switchBranch, tag } from './commands/branches.js';
import { commit } from './commands/commit.js';
import { diff } from './commands/diff.js';
import { config, init, listFiles, remote, revParse } from './commands/info.js';
import { log, show } from './commands/log.js';
import { clone, fetchRemote, httpClient, pull, push, type Traffic } from './commands/network.js';
import { add, move, remove, reset, restore } from './commands/staging.js';
import { stash } from './commands/stash.js';
import { status } from './commands/status.js';
import { GitError, Repository, type GitContext } from './repository.js';

/** One call of `git`; plain data. */
export interface GitRequest extends SnapshotRequest {
  author: GitContext['author'];
  network: NetworkAccess | null;
  isOffline: boolean;
}

/** Result of a call of `git`; plain data. */
export interface GitResult extends SnapshotResult {
  fetched: string[];
  needed: string | null;
}

type GitCommand = (args: readonly string[], repository: Repository) => Promise<number | void>;

const GIT_COMMANDS: Readonly<Record<string, GitCommand>> = {
  add,
  branch,
  checkout,
  commit,
  config,
  diff,
  log,
  'ls-files': listFiles,
  merge,
  mv: move,
  remote,
  reset,
  restore,
  'rev-parse': revParse,
  rm: remove,
  show,
  stash,
  status,
  switch: switchBranch,
  tag,
};
const NETWORK_COMMANDS = { fetch: fetchRemote, pull, push };
const COMMAND_NAMES = [
  ...Object.keys(GIT_COMMANDS),
  ...Object.keys(NETWORK_COMMANDS),
  'clone',
  'init',
  'version',
].sort();

/** Runs `git` with its arguments. */
export async function runGit(request: GitRequest): Promise<GitResult> {
  useBuffer();
  const files = new ProgramFiles(request.files);
  const output = new Output();
  const traffic: Traffic = { fetched: new Set(), needed: null };
  const exitCode = await runSubcommand(request, files, output, traffic).catch((error: unknown) => {
    output.print('stderr', `${errorMessage(error)}\n`);
    return error instanceof GitError ? error.exitCode : 128;
  });
  const { fetched, needed } = traffic;
  return {
    exitCode,
    stdout: output.stdout(),
    stderr: output.stderr('git'),
    use: files.use(),
    fetched: [...fetched],
    needed,
  };
}

async function runSubcommand(
  request: GitRequest,
  files: ProgramFiles,
  output: Output,
  traffic: Traffic,
): Promise<number> {
  const { cwd, args } = globalOptions(request.args, request.cwd);
  const [name = 'help', ...rest] = args;
  const context: GitContext = { files, output, cwd, author: requestAuthor(request) };
  if (name === '--version' || name === 'version' || name === '-v')
    return printToOutput(output, 'git version 2.47.0 (isomorphic-git)\n');
  if (name === 'help' || name === '--help' || name === '-h')
    return printToOutput(
      output,
      `usage: git [-C <path>] <command> [<args>]\nThere are: ${COMMAND_NAMES.join(' ')}\n`,
    );
  if (name === 'init') return init(rest, context);
  const http = httpClient(request.network, request.isOffline, traffic);
  if (name === 'clone') return clone(rest, context, http);
  const repository = async (): Promise<Repository> => Repository.open(context);
  if (Object.hasOwn(NETWORK_COMMANDS, name))
    return NETWORK_COMMANDS[name as keyof typeof NETWORK_COMMANDS](rest, await repository(), http);
  const command = Object.hasOwn(GIT_COMMANDS, name) ? GIT_COMMANDS[name] : undefined;
  if (command === undefined)
    throw new GitError(`git: '${name}' is not available here. There are: ${COMMAND_NAMES.join(' ')}`);
  return (await command(rest, await repository())) ?? 0;
}

/** Reads the options before the name of a command. */
function globalOptions(args: readonly string[], cwd: string): { cwd: string; args: string[] } {
  const queue = [...args];
  let place = cwd;
  for (;;) {
    if (queue[0] === '-C') place = joinPath(place, queue.splice(0, 2)[1] ?? '.');
    else if (queue[0] === '-c') queue.splice(0, 2);
    else if (queue[0] === '--no-pager' || queue[0] === '-P') queue.shift();
    else return { cwd: place, args: queue };
  }
}

function requestAuthor({ author, env, args }: GitRequest): GitContext['author'] {
  const given = (key: string): string | undefined =>
    args.flatMap((arg, at) =>
      args[at - 1] === '-c' && arg.startsWith(`${key}=`) ? [arg.slice(key.length + 1)] : [],
    )[0];
  return {
    name: given('user.name') ?? env['GIT_AUTHOR_NAME'] ?? author.name,
    email: given('user.email') ?? env['GIT_AUTHOR_EMAIL'] ?? author.email,
  };
}

function printToOutput(output: Output, text: string): number {
  output.print('stdout', text);
  return 0;
}

function errorMessage(error: unknown): string {
  if (error instanceof GitError) return error.message;
  const text = describe(error);
  return /^(?:fatal|error):/u.test(text) ? text : `fatal: ${text}`;
}

/** git's library expects Node's Buffer. */
function useBuffer(): void {
  const scope = globalThis as { Buffer?: unknown };
  scope.Buffer ??= Buffer;
}
