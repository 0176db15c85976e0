import type { BashOptions } from 'just-bash/browser';
import { describe } from '../../core/error.js';
import type { ProgramResult } from '../../core/program.js';
import { decode, encode } from './encoding.js';
import type { Programs } from './shell.js';

type CustomCommand = NonNullable<BashOptions['customCommands']>[number];
type ShellCommand = Extract<CustomCommand, { execute: unknown }>;
type ShellOutput = Awaited<ReturnType<ShellCommand['execute']>>;
type ProgramContext = Parameters<ShellCommand['execute']>[1];

/** Maximum number of programs of a command line that run at the same time, such as scripts that start each other. */
const MAX_PROGRAMS = 16;

/** What programs did outside, besides their results. */
export interface ProgramEffects {
  /** Origins to which they sent requests. */
  fetched: string[];
  /** The request before which one ended, because the user has not allowed requests yet. */
  needed?: string;
}

/** Returns the shell's commands that call programs. They add to `effects`; `ran` is called with the name of each that has run. */
export function shellCommands(
  programs: Programs,
  effects: ProgramEffects,
  ran: (name: string) => void,
): ShellCommand[] {
  const running = { count: 0 };
  return programs.commands.map((name) => ({
    name,
    async execute(args, context) {
      if (running.count >= MAX_PROGRAMS)
        return failedOutput(`${name}: ${MAX_PROGRAMS} programs are running already; no more can start.`);
      running.count += 1;
      try {
        const result = await callProgram(programs, name, args, context).finally(() => ran(name));
        effects.fetched.push(...(result.fetched ?? []));
        if (result.needed !== undefined) effects.needed ??= result.needed;
        return toShell(result);
      } catch (error) {
        return failedOutput(`${name}: ${describe(error)}`);
      } finally {
        running.count -= 1;
      }
    },
  }));
}

function callProgram(
  programs: Programs,
  command: string,
  args: string[],
  context: ProgramContext,
): Promise<ProgramResult> {
  const { cwd, exportedEnv = {}, exec, signal = new AbortController().signal } = context;
  const program = {
    command,
    args,
    stdin: new Uint8Array(encode(context.stdin as unknown as string, 'binary')),
    cwd,
    env: { ...exportedEnv },
  };
  return programs.run(program, {
    signal,
    exec: async (commandLine, options) => {
      if (exec === undefined) throw new Error('The shell cannot run a command line here.');
      const { stdout, stderr, exitCode, stdoutKind, stdoutEncoding } = await exec(commandLine, {
        ...options,
        signal,
      });
      const isBytes = stdoutKind === 'bytes' || stdoutEncoding === 'binary';
      return { stdout: isBytes ? encode(stdout, 'binary') : stdout, stderr, exitCode };
    },
  });
}

function toShell({ stdout, stderr, exitCode }: ProgramResult): ShellOutput {
  return typeof stdout === 'string'
    ? { stdout, stderr, exitCode, stdoutKind: 'text' }
    : { stdout: decode(stdout, 'binary'), stderr, exitCode, stdoutKind: 'bytes' };
}

function failedOutput(stderr: string): ShellOutput {
  return { stdout: '', stderr: `${stderr}\n`, exitCode: 1 };
}

/** Commands that people expect in a shell, by the runtime that has them or that has something in their place. */
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  javascript: ['node', 'npm', 'npx', 'nodejs', 'tsx', 'ts-node', 'yarn', 'pnpm', 'bun', 'deno'],
  python: ['python', 'python3', 'pip', 'pip3', 'pytest'],
  sqlite: ['sqlite3', 'sqlite'],
  git: ['git'],
  typescript: ['tsc'],
};

/** Commands that no runtime has, and what to do instead where the first one is present. */
const INSTEAD: readonly { commands: readonly string[]; present: string; advice: string }[] = [
  {
    commands: ['jest', 'vitest', 'mocha', 'ava', 'tap'],
    present: 'node',
    advice: 'Write tests with node:test and node:assert, and run them with node --test.',
  },
  {
    commands: ['tsc'],
    present: 'node',
    advice:
      'node runs TypeScript files, without checking their types; the application can add typescript() of rolezero/runtimes/typescript.',
  },
  {
    commands: ['yarn', 'pnpm', 'bun', 'deno', 'tsx', 'ts-node'],
    present: 'node',
    advice: 'Use node and npm run.',
  },
  { commands: ['pip', 'pip3'], present: 'python', advice: 'Packages cannot be installed with pip.' },
  { commands: ['pytest'], present: 'python', advice: 'Use python -m unittest.' },
];

/**
 * Appends advice to the error output of a command line: for each command that was not found, which runtime has it and how the application
 * adds it, or what a present runtime has instead.
 */
export function adviseOnMissing(stderr: string, present: readonly string[]): string {
  const missing = new Set(
    [...stderr.matchAll(/^bash: (?:line \d+: )?([\w.-]+): command not found$/gmu)].map(
      ([, name = '']) => name,
    ),
  );
  const advice = [...missing].flatMap((name) => adviceFor(name, present));
  if (advice.length === 0) return stderr;
  return `${stderr}${stderr.endsWith('\n') ? '' : '\n'}${advice.join('\n')}\n`;
}

function adviceFor(name: string, present: readonly string[]): string[] {
  const instead = INSTEAD.find((each) => each.commands.includes(name) && present.includes(each.present));
  if (instead !== undefined) return [`There is no ${name} here. ${instead.advice}`];
  const [runtime] = Object.entries(RUNTIMES).find(([, commands]) => commands.includes(name)) ?? [];
  if (runtime === undefined) return [];
  return [
    `${name} is not part of this terminal. Continue without it. The application can add it: terminal({ runtimes: [${runtime}()] }) with ` +
      `import { ${runtime} } from 'rolezero/runtimes/${runtime}'.`,
  ];
}
