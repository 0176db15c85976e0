import { RoleZeroError } from '../../core/error.js';
import type { Runtime } from '../../core/program.js';
import type { ProgramsOf } from './shell.js';

/** Milliseconds that a program has in addition, so that the command line as a whole ends first. */
const MARGIN = 100;

/** Returns the programs of these runtimes for command lines. */
export function programsOfRuntimes(runtimes: readonly Runtime[]): ProgramsOf {
  const byCommand = new Map(
    runtimes.flatMap((runtime) => runtime.commands.map((name) => [name, runtime] as const)),
  );
  return ({ network, isOffline = false, timeoutMs }, files) => {
    const deadline = performance.now() + timeoutMs + MARGIN;
    return {
      commands: [...byCommand.keys()],
      run(program, caller) {
        const runtime = byCommand.get(program.command);
        if (runtime === undefined) throw new RoleZeroError('internal', `No runtime has ${program.command}.`);
        const left = Math.max(1, deadline - performance.now());
        return runtime.run(program, { ...caller, files, network, isOffline, timeoutMs: left });
      },
    };
  };
}
