/** What a call of `python` runs. */
export interface Call {
  kind: 'file' | 'module' | 'code' | 'input';
  /** File, name of a module, or code. */
  target: string;
  args: string[];
  /** True when the input is the program. */
  isInputProgram: boolean;
}

const HELP = 'usage: python [-c code | -m module | file | -] [arguments]\n';

/** Reads the arguments of `python`. Returns a message instead when there is nothing to run; `%v` in it is the version. */
export function readArguments(
  args: readonly string[],
  input: string,
): Call | { message: string; exitCode: number } {
  const queue = [...args];
  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    if (arg === '-V' || arg === '--version') return { message: '%v\n', exitCode: 0 };
    if (arg === '-h' || arg === '--help') return { message: HELP, exitCode: 0 };
    if (/^-[BEIOqsSuvx]+$/u.test(arg)) continue;
    if (arg === '-W' || arg === '-X') {
      queue.shift();
      continue;
    }
    if (arg === '-') break;
    if (arg.startsWith('-c') || arg.startsWith('-m')) {
      const target = arg.length > 2 ? arg.slice(2) : queue.shift();
      if (target === undefined)
        return { message: `Argument expected for the ${arg} option\n${HELP}`, exitCode: 2 };
      if (arg.startsWith('-m') && (target === 'pip' || target === 'venv' || target === 'ensurepip'))
        return {
          message: `python: packages cannot be installed here: programs have no network. Use the standard library.\n`,
          exitCode: 1,
        };
      return { kind: arg.startsWith('-c') ? 'code' : 'module', target, args: queue, isInputProgram: false };
    }
    if (arg.startsWith('-')) return { message: `Unknown option: ${arg}\n${HELP}`, exitCode: 2 };
    return { kind: 'file', target: arg, args: queue, isInputProgram: false };
  }
  return { kind: 'input', target: input, args: queue, isInputProgram: true };
}
