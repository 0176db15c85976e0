import { clip } from './clip.js';
import type { ShellResult } from './shell.js';

/** Characters of a command line that are repeated to the model, which wrote it. */
const MAX_ECHO = 1000;
/** An output this short is easily overlooked (spec 6.13). */
const SHORT = 10;

/** Everything a command printed: standard output, then standard error. */
export function printed({ stdout, stderr }: ShellResult): string {
  return stdout + (stdout === '' || stdout.endsWith('\n') || stderr === '' ? '' : '\n') + stderr;
}

/** What the model reads of a command (spec 6.13), and how it ended when it did not end well. */
export function observation(cmd: string, result: ShellResult): string {
  const output = printed(result);
  const hint = output.length <= SHORT ? ' (pay attention to this.)' : '';
  const lines = [`\n[command]: ${clip(cmd, MAX_ECHO)} \n[command output] : ${output}${hint}`];
  if (result.exitCode !== 0) lines.push(`[exit code]: ${result.exitCode}`);
  if (result.memory === null)
    lines.push(
      '[The shell ended here. The next command gets a new one, in the directory and with the variables from before this one.]',
    );
  return lines.reduce((text, line) => `${text}${text.endsWith('\n') ? '' : '\n'}${line}`);
}
