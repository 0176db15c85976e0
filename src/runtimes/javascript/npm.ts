import { isRecord } from '../../core/json.js';
import type { Program, ProgramHost, ProgramResult } from '../../core/program.js';
import { joinPath, parentPath } from '../paths.js';

/** Names of scripts that are commands of their own. */
const SCRIPT_COMMANDS: Readonly<Record<string, string>> = {
  test: 'test',
  t: 'test',
  tst: 'test',
  start: 'start',
  stop: 'stop',
  restart: 'restart',
};
const INSTALLS = new Set([
  'install',
  'i',
  'ci',
  'add',
  'update',
  'up',
  'uninstall',
  'remove',
  'rm',
  'link',
  'dedupe',
  'install-test',
  'it',
]);

interface Package {
  folder: string;
  name: string;
  version: string;
  scripts: Record<string, string>;
}

/** Runs `npm`: the scripts of package.json in the shell. Nothing can be installed. */
export async function runNpm(program: Program, host: ProgramHost): Promise<ProgramResult> {
  const args = program.args.filter(
    (arg) => !/^(?:-s|--silent|-q|--quiet|--no-audit|--no-fund|--loglevel=.*)$/u.test(arg),
  );
  const isSilent = args.length < program.args.length;
  const [command = 'help', ...rest] = args;
  if (command === '-v' || command === '--version') return printedResult('10.9.0\n');
  if (INSTALLS.has(command)) return failedResult(refuseInstall(rest.filter((arg) => !arg.startsWith('-'))));
  if (command === 'init' || command === 'create') return initPackage(program, host, rest);
  if (command === 'exec' || command === 'x') return runNpx({ ...program, args: rest }, host);
  const isRun = command === 'run' || command === 'run-script' || command === 'rum';
  if (!isRun && SCRIPT_COMMANDS[command] === undefined)
    return failedResult(
      `npm ${command} is not available here. There are npm test, npm start, npm run NAME and npm init -y; packages cannot be installed.`,
    );
  const found = await findPackage(program.cwd, host);
  if (typeof found === 'string') return failedResult(found);
  const name = isRun ? rest[0] : SCRIPT_COMMANDS[command];
  if (name === undefined) return printedResult(listScripts(found));
  const given = isRun ? rest.slice(1) : rest;
  return runScripts(found, name, given[0] === '--' ? given.slice(1) : given, isSilent, host);
}

/** Runs `npx`: a command of the shell. */
export async function runNpx({ args, cwd }: Program, host: ProgramHost): Promise<ProgramResult> {
  const [command, ...rest] = args.filter((arg) => !/^(?:-y|--yes|--no-install|--)$/u.test(arg));
  if (command === undefined) return failedResult('npx: Name a command.');
  const known = await host.exec(`command -v ${shellWord(command)}`, { cwd });
  if (known.exitCode !== 0)
    return failedResult(
      `npx: ${command} is not here, and packages cannot be installed. ${
        command === 'tsc' ? 'The application can add it with typescript(). ' : ''
      }Run JavaScript and TypeScript with node, and tests with node --test.`,
      127,
    );
  return host.exec(shellWord(command), { cwd, args: rest });
}

async function runScripts(
  { folder, name: packageName, version, scripts }: Package,
  name: string,
  args: readonly string[],
  isSilent: boolean,
  host: ProgramHost,
): Promise<ProgramResult> {
  if (scripts[name] === undefined) {
    const others = Object.keys(scripts);
    const advice = others.length === 0 ? 'It has no scripts.' : `Its scripts: ${others.join(', ')}.`;
    return failedResult(
      `npm error Missing script: "${name}" in ${joinPath(folder, 'package.json')}. ${advice}`,
    );
  }
  const whole: ProgramResult = { stdout: '', stderr: '', exitCode: 0 };
  for (const each of [`pre${name}`, name, `post${name}`]) {
    const script = scripts[each];
    if (script === undefined) continue;
    const line = each === name ? [script, ...args.map(shellWord)].join(' ') : script;
    if (!isSilent)
      whole.stdout = concatenate(whole.stdout, `\n> ${packageName}@${version} ${each}\n> ${line}\n\n`);
    const env = {
      npm_lifecycle_event: each,
      npm_package_name: packageName,
      npm_package_version: version,
      npm_lifecycle_script: script,
    };
    const result = await host.exec(line, { cwd: folder, env });
    whole.stdout = concatenate(whole.stdout, result.stdout);
    whole.stderr += result.stderr;
    whole.exitCode = result.exitCode;
    if (result.exitCode !== 0) break;
  }
  return whole;
}

function concatenate(a: string | Uint8Array, b: string | Uint8Array): string | Uint8Array {
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  const [first, second] = [a, b].map((part) =>
    typeof part === 'string' ? new TextEncoder().encode(part) : part,
  );
  const whole = new Uint8Array((first?.length ?? 0) + (second?.length ?? 0));
  whole.set(first ?? []);
  whole.set(second ?? [], first?.length ?? 0);
  return whole;
}

/** Returns the package of a directory or of one above it, or why it has none. */
async function findPackage(cwd: string, { files }: ProgramHost): Promise<Package | string> {
  for (let folder = cwd; ; folder = parentPath(folder)) {
    const path = joinPath(folder, 'package.json');
    if ((await files.stat(path))?.type === 'file') {
      try {
        return readPackage(folder, JSON.parse(await files.read(path)));
      } catch (error) {
        return `npm error ${path} is not valid JSON: ${(error as Error).message}`;
      }
    }
    if (folder === '/')
      return `npm error There is no package.json in ${cwd} or above it. Create one with npm init -y.`;
  }
}

function readPackage(folder: string, manifest: unknown): Package {
  const { name, version, scripts } = isRecord(manifest) ? manifest : {};
  const lines = Object.entries(isRecord(scripts) ? scripts : {});
  return {
    folder,
    name: typeof name === 'string' ? name : 'package',
    version: typeof version === 'string' ? version : '',
    scripts: Object.fromEntries(
      lines.filter((line): line is [string, string] => typeof line[1] === 'string'),
    ),
  };
}

async function initPackage(
  { cwd }: Program,
  { files }: ProgramHost,
  args: readonly string[],
): Promise<ProgramResult> {
  if (args.some((arg) => !arg.startsWith('-')))
    return failedResult(
      'npm: Templates cannot be downloaded here. Create the files yourself; npm init -y writes a package.json.',
    );
  const path = joinPath(cwd, 'package.json');
  if ((await files.stat(path)) !== null) return failedResult(`npm error ${path} exists already.`);
  const name = cwd === '/' ? 'workspace' : cwd.slice(cwd.lastIndexOf('/') + 1).toLowerCase();
  const manifest = {
    name,
    version: '1.0.0',
    main: 'index.js',
    scripts: { test: 'node --test' },
    license: 'ISC',
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await files.write(path, text);
  return printedResult(`Wrote to ${path}:\n\n${text}`);
}

function refuseInstall(names: readonly string[]): string {
  const what = names.length === 0 ? 'The packages of package.json' : names.join(', ');
  return (
    `npm error ${what} cannot be installed: programs here have no network. Use the built-in modules of Node (node:test, node:assert, node:fs, ` +
    'node:path …) or write what you need yourself; the application can allow packages with javascript({ packages }).'
  );
}

function listScripts({ scripts }: Package): string {
  const lines = Object.entries(scripts).map(([name, script]) => `  ${name}\n    ${script}\n`);
  return lines.length === 0 ? 'There are no scripts.\n' : `Scripts available via npm run:\n${lines.join('')}`;
}

/** Quotes a word for the shell, whatever it contains. */
function shellWord(word: string): string {
  return /^[\w./=:@-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function printedResult(stdout: string): ProgramResult {
  return { stdout, stderr: '', exitCode: 0 };
}

function failedResult(message: string, exitCode = 1): ProgramResult {
  return { stdout: '', stderr: `${message}\n`, exitCode };
}
