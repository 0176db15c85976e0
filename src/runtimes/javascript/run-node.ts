import { Output } from '../output.js';
import { ProgramFiles } from '../program-files.js';
import type { SnapshotRequest, SnapshotResult } from '../snapshot.js';
import { joinPath } from '../paths.js';
import type { PackageFiles } from './packages.js';
import type { ProgramEntry, Exit, Process, ProgramSurroundings, TestReport } from './process.js';
import { runProgram } from './virtual-machine.js';

/** One call of `node`, with everything that it needs; plain data. */
export interface NodeRequest extends SnapshotRequest {
  packages: PackageFiles;
  memoryBytes: number;
}

/** Result of a call of `node`; plain data. */
export type NodeResult = SnapshotResult;

const VERSION =
  'v22.18.0 (QuickJS: the language and the common modules of Node, without network and packages)';
const NODE_HELP =
  'Usage: node [options] [file | -e "code"] [arguments]\n  -e, --eval   run code\n  -p, --print  run code and print its value\n' +
  '  --test       run test files\n';
/** Test files, as Node finds them without arguments. */
const TEST_FILE = /(?:^|\/)(?:test\/.*|test|test-[^/]*|[^/]*[.\-_]test)\.[cm]?[jt]s$/u;

/** Options of Node that change nothing here. */
const IGNORED_OPTIONS =
  /^--(?:no-warnings|enable-source-maps|experimental-[\w-]+|no-experimental-[\w-]+|trace-[\w-]+|unhandled-rejections=.*|test-reporter(?:-destination)?=.*|test-force-exit|test-concurrency=.*|harmony.*|stack-trace-limit=.*|no-deprecation)$/u;

interface NodeOptions {
  text: string | null;
  print: boolean;
  inputIsModule: boolean;
  test: boolean;
  rest: string[];
}

/** Runs `node` with its arguments. */
export async function runNode(request: NodeRequest): Promise<NodeResult> {
  const files = new ProgramFiles(request.files);
  const output = new Output();
  const { packages, memoryBytes, timeoutMs } = request;
  const deadline = performance.now() + timeoutMs;
  const exit = await runArguments(request, { files, output, packages, memoryBytes, deadline });
  return {
    exitCode: exit.exitCode,
    isLate: exit.isLate,
    stdout: output.stdout(),
    stderr: output.stderr('node'),
    use: files.use(),
  };
}

async function runArguments(request: NodeRequest, surroundings: ProgramSurroundings): Promise<Exit> {
  const { output } = surroundings;
  const options = readNodeOptions(request.args);
  if (typeof options === 'string') return failWithMessage(output, options);
  if (options.rest[0] === '--version') return printAndExit(output, `${VERSION}\n`);
  if (options.rest[0] === '--help') return printAndExit(output, NODE_HELP);
  if (options.test) return runTests(options, request, surroundings);
  const { entry, args } = programEntry(options, request);
  const exit = await runProgram({ ...processOf(request), entry, args }, surroundings);
  if (exit.report !== undefined) printSummary(output, [exit.report], exit.report.failures);
  const hasFailed = exit.exitCode === 0 && (exit.report?.totals.fail ?? 0) > 0;
  return hasFailed ? { ...exit, exitCode: 1 } : exit;
}

function readNodeOptions(all: readonly string[]): NodeOptions | string {
  const options: NodeOptions = {
    text: null,
    print: false,
    inputIsModule: false,
    test: false,
    rest: [],
  };
  const args = [...all];
  for (let arg = args.shift(); arg !== undefined; arg = args.shift()) {
    const [name = '', given] = /^(--[\w-]+)=(.*)$/su.exec(arg)?.slice(1) ?? [arg];
    if (['-e', '--eval', '-p', '--print', '-pe'].includes(name)) {
      options.text = given ?? args.shift() ?? '';
      options.print = name.includes('p');
    } else if (name === '--input-type') options.inputIsModule = (given ?? args.shift()) === 'module';
    else if (name === '--test') options.test = true;
    else if (name === '-v' || name === '--version') options.rest.push('--version');
    else if (name === '-h' || name === '--help') options.rest.push('--help');
    else if (['-r', '--require', '--import', '--watch'].includes(name) || name.startsWith('--inspect'))
      return `node: ${name} is not available here.`;
    else if (IGNORED_OPTIONS.test(arg)) continue;
    else if (name === '--') {
      options.rest.push(...args.splice(0));
    } else if (name.startsWith('--') || (name.startsWith('-') && name !== '-'))
      return `node: bad option: ${arg}`;
    else {
      options.rest.push(arg);
      if (!options.test) options.rest.push(...args.splice(0));
    }
  }
  return options;
}

function programEntry(
  { text, print: prints, inputIsModule, rest }: NodeOptions,
  request: NodeRequest,
): { entry: ProgramEntry; args: string[] } {
  const isModule = inputIsModule;
  if (text !== null) return { entry: { text, name: '[eval]', print: prints, isModule }, args: rest };
  const [file, ...args] = rest;
  if (file === undefined || file === '-')
    return {
      entry: { text: new TextDecoder().decode(request.stdin), name: '[stdin]', print: false, isModule },
      args,
    };
  return { entry: { path: joinPath(request.cwd, file) }, args };
}

function processOf({ cwd, env, stdin }: NodeRequest): Omit<Process, 'entry' | 'args'> {
  return { cwd, env, stdin };
}

async function runTests(
  options: NodeOptions,
  request: NodeRequest,
  surroundings: ProgramSurroundings,
): Promise<Exit> {
  const { files, output } = surroundings;
  const paths = testFiles(options.rest, request, files);
  if (paths.length === 0) {
    const where =
      options.rest.length === 0
        ? 'Name them *.test.js, or put them into a folder test.'
        : `Looked for ${options.rest.join(' ')}.`;
    return failWithMessage(output, `node: There are no test files. ${where}`);
  }
  const reports: TestReport[] = [];
  const failures: string[] = [];
  for (const path of paths) {
    if (paths.length > 1) output.print('stdout', `${path}\n`);
    const exit = await runProgram({ ...processOf(request), entry: { path }, args: [] }, surroundings);
    if (exit.isLate) return exit;
    const report = exit.report ?? {
      totals: { tests: 1, suites: 0, pass: 0, fail: 0, skipped: 0, todo: 0 },
      failures: [],
    };
    const isBroken = exit.exitCode !== 0 && report.totals.fail === 0;
    if (exit.report === undefined) report.totals[isBroken ? 'fail' : 'pass'] = 1;
    else if (isBroken) report.totals.fail += 1;
    reports.push(report);
    failures.push(...report.failures, ...(isBroken ? [`${path} ended with exit code ${exit.exitCode}`] : []));
  }
  printSummary(output, reports, failures);
  const failed = reports.some(({ totals }) => totals.fail > 0);
  return { exitCode: failed ? 1 : 0, isLate: false };
}

/** Returns the test files that arguments name: files, folders, and patterns; without arguments, all by their names. */
function testFiles(
  args: readonly string[],
  { cwd, files: entries }: NodeRequest,
  files: ProgramFiles,
): string[] {
  const all = entries
    .filter(({ type, path }) => type === 'file' && !path.includes('/node_modules/'))
    .map(({ path }) => path);
  const below = (folder: string): string[] =>
    all.filter((path) => path.startsWith(folder === '/' ? '/' : `${folder}/`) && TEST_FILE.test(path));
  if (args.length === 0) return below(cwd).sort();
  const found = args.flatMap((arg) => {
    const path = joinPath(cwd, arg);
    const type = files.stat(path)?.type;
    if (type === 'file') return [path];
    if (type === 'directory') return below(path);
    const pattern = patternOf(path);
    return all.filter((each) => pattern.test(each));
  });
  return [...new Set(found)].sort();
}

function patternOf(glob: string): RegExp {
  const text = glob
    .replaceAll(/[.+^$()|[\]\\]/gu, '\\$&')
    .replaceAll('**/', '\u0000')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll('\u0000', '(?:.*/)?')
    .replaceAll('{', '(?:')
    .replaceAll('}', ')')
    .replaceAll(',', '|');
  return new RegExp(`^${text}$`, 'u');
}

function printSummary(output: Output, reports: readonly TestReport[], failures: readonly string[]): void {
  const names = ['tests', 'suites', 'pass', 'fail', 'skipped', 'todo'] as const;
  const lines = names.map(
    (name) => `ℹ ${name} ${reports.reduce((sum, { totals }) => sum + totals[name], 0)}`,
  );
  output.print('stdout', `${lines.join('\n')}\n`);
  if (failures.length > 0) output.print('stdout', `\n✖ failing tests:\n\n${failures.join('\n\n')}\n`);
}

function printAndExit(output: Output, text: string): Exit {
  output.print('stdout', text);
  return { exitCode: 0, isLate: false };
}

function failWithMessage(output: Output, message: string): Exit {
  output.print('stderr', `${message}\n`);
  return { exitCode: 9, isLate: false };
}
