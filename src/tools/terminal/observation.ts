import { clip } from './clip.js';
import type { ShellResult } from './shell.js';

/** Maximum characters of a command line that are repeated to the model. */
const MAX_ECHO = 1000;
/** Output of at most this many characters is easily overlooked. */
const SHORT = 10;

/** Returns all output of a command: standard output, then standard error. */
export function printed({ stdout, stderr }: ShellResult): string {
  return stdout + (stdout === '' || stdout.endsWith('\n') || stderr === '' ? '' : '\n') + stderr;
}

/** Formats the result of a command for the model, including a nonzero exit code. */
export function observation(cmd: string, result: ShellResult): string {
  const output = printed(result);
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
