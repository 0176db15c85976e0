import { homedir } from 'node:os';
import { UsageError } from '../try/arguments.js';
import { HELP, readArguments } from './arguments.js';
import { Evaluation } from './evaluation.js';

const WRONG_USAGE = 64;

/** Runs a command line and returns the exit code. */
export async function main(line: readonly string[]): Promise<number> {
  try {
    const options = readArguments(line, process.env, homedir());
    if (options !== null) return await new Evaluation(options).run();
    process.stdout.write(HELP);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\nFor all options: npm run eval -- --help\n`);
    return WRONG_USAGE;
  }
}
