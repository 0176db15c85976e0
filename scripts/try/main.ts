import { homedir } from 'node:os';
import { HELP, readArguments, UsageError } from './arguments.js';
import { Attempt } from './attempt.js';

const WRONG_USAGE = 64;

/** Runs a command line and returns the exit code. */
export async function main(line: readonly string[]): Promise<number> {
  try {
    const options = readArguments(line, process.env, homedir());
    if (options !== null) return await new Attempt(options).run();
    process.stdout.write(HELP);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\nFor all options: npm run try -- --help\n`);
    return WRONG_USAGE;
  }
}
