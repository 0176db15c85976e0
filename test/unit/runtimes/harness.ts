import type { Runtime } from '../../../src/core/program.js';
import { play, run, shown, write, type Step } from '../tools/terminal/harness.js';

export { run, write };

/** Runs steps with a runtime. Returns what each command line printed, and the files. */
export async function inTerminal(
  runtime: Runtime,
  steps: readonly Step[],
): Promise<{ printed: string[]; files: Record<string, string> }> {
  const { outputs, files } = await play(steps, { runtimes: [runtime] });
  const lines = outputs.filter((_output, at) => steps[at]?.[0] === 'Terminal.run_command');
  return { printed: lines.map(shown), files };
}

/** Runs one command line over files, and returns what it printed. */
export async function printedBy(
  runtime: Runtime,
  commandLine: string,
  files: Record<string, string> = {},
): Promise<string> {
  const writes = Object.entries(files).map(([path, content]) => write(path, content));
  const { printed } = await inTerminal(runtime, [...writes, run(commandLine)]);
  return printed[0] ?? '';
}
