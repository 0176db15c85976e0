import type { BashExecResult, BashOptions, CommandName } from 'just-bash/browser';
import { defined } from '../../core/defined.js';
import { describe } from '../../core/error.js';
import type { Files } from '../../core/files.js';
import { isUrl } from '../../core/is-url.js';
import type { NetworkAccess } from '../../core/program.js';
import { BashFiles } from './bash-files.js';
import { clip } from './clip.js';
import { scriptDifference, withoutDifferences } from './bash-differences.js';
import { Bash, getCommandNames } from './just-bash.js';
import { withListedFiles } from './listed-files.js';
import { withLiteralSearch, type BuiltIn } from './literal-search.js';
import { adviseOnMissing, shellCommands, type ProgramEffects } from './shell-commands.js';
import {
  tookTooLong,
  type Programs,
  type ShellMemory,
  type ShellRequest,
  type ShellResult,
} from './shell.js';

/** Maximum characters of variables, and of functions, that are stored for the next command. */
const MAX_STORED_CHARACTERS = 32_768;
/** Maximum bytes of all output of a command's parts. */
const MAX_PARTS_BYTES = 64 * 1024 * 1024;
/** Maximum bytes that a command may hold at the same time. */
const MAX_LIVE_BYTES = 256 * 1024 * 1024;

/** Commands that the interpreter lists but cannot run in a browser. */
const UNAVAILABLE = [
  'tar',
  'python',
  'python3',
  'js-exec',
  'node',
  'sqlite3',
  'xan',
  'yq',
  'html-to-markdown',
];

/** Variables that every shell sets itself; they are not stored. */
const OWN_VARIABLES = new Set(['?', 'PWD', 'SHELLOPTS', 'BASHOPTS', 'OPTIND', '_']);

const SEE_MORE =
  "To see it run the command again through head, tail, sed -n '100,200p' or grep, or redirect it into a file.";

/**
 * Runs one command line with just-bash over `files`. Options such as `set -e` end with it. The result contains variables and functions.
 *
 * @throws RoleZeroError `tool-timeout`
 */
export async function runBash(
  { cmd, memory, timeoutMs, maxOutput, network, isOffline = false, shown }: ShellRequest,
  files: Files,
  programs: Programs,
  signal?: AbortSignal,
): Promise<ShellResult> {
  const watched = shown === undefined ? null : watchReads(files, shown);
  const effects: ProgramEffects = { fetched: [] };
  const listed = withListedFiles(watched?.files ?? files);
  const withoutLists: Programs['run'] = (...call) => {
    listed.forget(); // the program may change any file
    return programs.run(...call);
  };
  const commands = shellCommands({ ...programs, run: withoutLists }, effects, (name) => watched?.ran(name));
  const bash = startShell(listed.files, memory, network, timeoutMs, commands);
  const fetched = watchFetches(bash);
  const unsent = watched === null ? null : refuseAfterReading(bash, watched.hiddenRead);
  const offline = isOffline ? stopAtRequest(bash, network) : null;
  const fresh = bash.getEnv();
  const started = Date.now();
  const made = functionDefinitions(bash, cmd);
  const signals = [signal, offline?.signal].filter((each) => each !== undefined);
  const options = { rawScript: true, signal: AbortSignal.any(signals) };
  const { exitCode, env, ...output } =
    typeof made === 'string'
      ? refusedResult(made)
      : await bash.exec(scriptOf(cmd, memory), options).catch(refusedResult);
  // Some commands report the end of their time as a failure of their own.
  if (exitCode !== 0 && Date.now() - started >= timeoutMs) throw tookTooLong({ timeoutMs, network });
  if (bash.fs instanceof BashFiles && bash.fs.refusal !== null) output.stderr += `bash: ${bash.fs.refusal}\n`;
  return {
    exitCode,
    stdout: clip(withoutAdvice(output.stdout), maxOutput, SEE_MORE),
    stderr: clip(adviseOnMissing(withoutAdvice(output.stderr), programs.commands), maxOutput, SEE_MORE),
    fetched: [...new Set([...fetched, ...effects.fetched])],
    ...defined({ needed: offline?.request() ?? effects.needed, unsent: unsent?.() }),
    truncated: output.stdout.length > maxOutput || output.stderr.length > maxOutput,
    memory: made === null || typeof made === 'string' ? memory : remembered(memory, made, env, fresh),
  };
}

/** Starts the shell in the previous directory; see `scriptOf`. */
function startShell(
  files: Files,
  memory: ShellMemory,
  network: NetworkAccess | null,
  timeoutMs: number,
  customCommands: ReturnType<typeof shellCommands>,
): Bash {
  const commands = getCommandNames().filter((name) => !UNAVAILABLE.includes(name)) as CommandName[];
  const names = [
    ...commands,
    ...customCommands.map(({ name }) => name),
    ...(network === null ? [] : ['curl']),
  ];
  const bash = new Bash({
    fs: new BashFiles(files, new Set(names)),
    customCommands,
    cwd: previousDirectory(memory),
    env: { HOME: '/', ...memory.env },
    commands,
    executionLimits: {
      maxExecutionTimeMs: timeoutMs,
      maxOutputSize: MAX_PARTS_BYTES,
      maxLiveBytes: MAX_LIVE_BYTES,
    },
    defenseInDepth: false, // it replaces globals of this thread while a command waits; nothing is ever evaluated anyway
    ...allowed(network),
  });
  replaceCommands(bash);
  return bash;
}

/** Replaces `rg` by one that is fast for literals, and commands that differ from bash's. The interpreter has no other access to its own commands. */
function replaceCommands(bash: Bash): void {
  const commands = bash['commands'] as Map<string, BuiltIn>;
  const rg = commands.get('rg');
  if (rg !== undefined) bash.registerCommand(withLiteralSearch(rg));
  // A registered command would not count as one of the interpreter, which find and xargs must be.
  for (const command of withoutDifferences(commands)) commands.set(command.name, command);
}

/** Returns a script that changes from the previous to the current directory, so that `cd -` works, then defines the functions, then runs the command. */
function scriptOf(cmd: string, memory: ShellMemory): string {
  const { cwd, functions } = memory;
  const change = previousDirectory(memory) === cwd ? [] : [`cd ${shellQuoted(cwd)}`];
  return [...change, ...Object.values(functions), cmd].join('\n');
}

function previousDirectory({ cwd, env }: ShellMemory): string {
  return env['OLDPWD'] ?? cwd;
}

function allowed(network: NetworkAccess | null): Pick<BashOptions, 'network'> {
  if (network === null) return {};
  const { urls, methods } = network;
  return {
    network: {
      allowedUrlPrefixes: [...urls],
      ...defined({ allowedMethods: methods && [...methods] }),
    },
  };
}

/** Errors for requests that were rejected before they were sent. */
const NOT_ASKED = /^(?:NetworkAccessDenied|MethodNotAllowed)Error$/u;

/**
 * Records the origins that the shell fetches from now on, including redirects. The interpreter offers no other hook: a custom `fetch` would
 * bypass its list of allowed addresses. Failed requests count as well, because their error message may come from the server.
 */
function watchFetches(bash: Bash): ReadonlySet<string> {
  const origins = new Set<string>();
  const note = (url: string): void => void origins.add(isUrl(url) ? new URL(url).origin : url);
  const fetch = bash['secureFetch'] as BashOptions['fetch'];
  if (fetch === undefined) return origins;
  const watched: typeof fetch = async (url, options) => {
    try {
      const reply = await fetch(url, options);
      note(reply.url);
      note(url);
      return reply;
    } catch (error) {
      if (!(error instanceof Error && NOT_ASKED.test(error.name))) note(url);
      throw error;
    }
  };
  bash['secureFetch'] = watched;
  return origins;
}

/**
 * Refuses each request of a command that has read a file which the user was not shown. Returns a function for the reason of the first
 * refusal: curl may hide it.
 */
function refuseAfterReading(bash: Bash, hiddenRead: WatchedFiles['hiddenRead']): () => string | undefined {
  let reason: string | undefined;
  const fetch = bash['secureFetch'] as BashOptions['fetch'];
  if (fetch === undefined) return () => reason;
  const refusing: typeof fetch = async (url, options) => {
    const path = hiddenRead();
    if (path === undefined) return fetch(url, options);
    const refusal = `${options?.method ?? 'GET'} ${url}: the command has read ${path}, which the user was not shown. Send it with a command of its own.`;
    reason ??= refusal;
    throw new Error(`Not sent: ${refusal}`);
  };
  bash['secureFetch'] = refusing;
  return () => reason;
}

/** A method that no list of allowed methods contains. */
const NO_METHOD = 'NONE';

/**
 * Ends the command at its first request that the network access permits, before it is sent. Requests to other addresses, or with other
 * methods, fail as they do otherwise.
 */
function stopAtRequest(
  bash: Bash,
  network: NetworkAccess | null,
): { signal: AbortSignal; request: () => string | undefined } {
  const stop = new AbortController();
  let request: string | undefined;
  const fetch = bash['secureFetch'] as BashOptions['fetch'];
  if (fetch === undefined) return { signal: stop.signal, request: () => request };
  const allowed: readonly string[] = network?.methods ?? ['GET', 'HEAD'];
  const stopped: typeof fetch = async (url, { method = 'GET', ...options } = {}) => {
    const denied = await fetch(url, { ...options, method: NO_METHOD }).catch((error: unknown) => error);
    const isPermitted = denied instanceof Error && denied.name === 'MethodNotAllowedError';
    if (!isPermitted) throw denied;
    if (!allowed.includes(method.toUpperCase())) {
      denied.message = denied.message.replaceAll(NO_METHOD, method);
      throw denied;
    }
    request ??= `${method} ${url}`;
    stop.abort();
    throw new Error('The user has not allowed requests.');
  };
  bash['secureFetch'] = stopped;
  return { signal: stop.signal, request: () => request };
}

/**
 * Converts an exception to a result. A redirection that the files reject, for example in a full workspace, ends the script with an
 * exception.
 */
function refusedResult(error: unknown): Pick<BashExecResult, 'exitCode' | 'stdout' | 'stderr' | 'env'> {
  return { exitCode: 1, stdout: '', stderr: `bash: ${describe(error)}\n`, env: {} };
}

/** Removes the interpreter's advice on commands outside browsers, which does not apply to a model. */
function withoutAdvice(text: string): string {
  return text.replaceAll(/: command not available in browser environments\..*/gu, ': command not found');
}

/** Quotes a word for the shell, whatever it contains. */
function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns the memory after a script. Null if the script did not run to its end, in which case `$?` is missing. */
function remembered(
  before: ShellMemory,
  defined: Record<string, string>,
  env: Record<string, string>,
  fresh: Record<string, string>,
): ShellMemory | null {
  if (!('?' in env)) return null;
  const variables = Object.entries(env).filter(
    ([name, value]) =>
      !OWN_VARIABLES.has(name) && (name in before.env || name === 'OLDPWD' || fresh[name] !== value),
  );
  return {
    cwd: env['PWD'] ?? before.cwd,
    env: withinLimit(variables),
    functions: withinLimit(Object.entries({ ...before.functions, ...defined })),
  };
}

/**
 * Returns the source text of functions that a script defines at its top level. Null if the script cannot be parsed, so that it will not
 * run; a sentence if it would do something else than in bash, so that it must not run.
 */
function functionDefinitions(bash: Bash, script: string): Record<string, string> | string | null {
  const found: Record<string, string> = {};
  let ast;
  try {
    ({ ast } = bash.transform(script));
  } catch {
    return null; // running it reports the error
  }
  const difference = scriptDifference(ast);
  if (difference !== null) return difference;
  const { statements } = ast;
  for (const { pipelines, sourceText } of statements) {
    const command = pipelines.length === 1 ? pipelines[0]?.commands[0] : undefined;
    if (command?.type === 'FunctionDef' && sourceText !== undefined) found[command.name] = sourceText;
  }
  return found;
}

/** Returns the entries that fit within the limit, small ones first. One huge variable must not displace all others. */
function withinLimit(entries: [string, string][]): Record<string, string> {
  let room = MAX_STORED_CHARACTERS;
  const size = ([name, value]: [string, string]): number => name.length + value.length;
  const fits = entries.toSorted((a, b) => size(a) - size(b)).filter((entry) => (room -= size(entry)) >= 0);
  return Object.fromEntries(fits);
}

/** Files of a command whose requests the user has approved, and what it has read of them besides what the user was shown. */
interface WatchedFiles {
  files: Files;
  /** Returns a file that was read and not shown; undefined for none. */
  hiddenRead: () => string | undefined;
  /** A program has run, which may have read any file. */
  ran: (program: string) => void;
}

/** Watches which files a command reads. What it has written itself may be read; a copy of a file counts as reading it. */
function watchReads(files: Files, shown: readonly string[]): WatchedFiles {
  const known = new Set(shown);
  let hiddenRead: string | undefined;
  const reads = (path: string): void => {
    if (!known.has(path)) hiddenRead ??= path;
  };
  const after = <Result>(path: string, result: Promise<Result>): Promise<Result> =>
    result.then((value) => {
      reads(path);
      return value;
    });
  return {
    hiddenRead: () => hiddenRead,
    ran: (program) => (hiddenRead ??= `files, by ${program}`),
    files: {
      stat: (path) => files.stat(path),
      list: (...args) => files.list(...args),
      glob: (pattern) => files.glob(pattern),
      makeDirectory: (path) => files.makeDirectory(path),
      remove: (path) => files.remove(path),
      read: (path) => after(path, files.read(path)),
      readBytes: (path) => after(path, files.readBytes(path)),
      write: async (path, content) => {
        await files.write(path, content);
        known.add(path);
      },
      move: (from, to) => after(from, files.move(from, to)),
      copy: (from, to) => after(from, files.copy(from, to)),
    },
  };
}
