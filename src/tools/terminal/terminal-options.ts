import { checkOptions, type OptionKind } from '../../core/check-options.js';
import { describeValue } from '../../core/describe-value.js';
import { RoleZeroError } from '../../core/error.js';
import { isRecord } from '../../core/json.js';
import type { NetworkAccess, Runtime } from '../../core/program.js';

export interface TerminalOptions {
  /**
   * Initial working directory.
   *
   * @default '/'
   */
  workingDirectory?: string;
  /** Variables available to every command until a command changes them. */
  env?: Readonly<Record<string, string>>;
  /**
   * Time limit of a command in ms.
   *
   * @default 30_000
   */
  timeoutMs?: number;
  /**
   * Time limit of a background job in ms.
   *
   * @default 300_000
   */
  jobTimeoutMs?: number;
  /**
   * Maximum characters of standard output, and of standard error, that the model receives.
   *
   * @default 12_000
   */
  maxOutput?: number;
  /**
   * Addresses that `curl` may fetch. Without it, there is no network access and no curl. Browsers require the server's permission (CORS).
   * Fetched content is labeled with its origin: from then on, the user is asked before commands that could send data out.
   */
  network?: NetworkAccess;
  /**
   * Parts that run programs: `javascript()`, `python()`, `sqlite()`, `git()` from `rolezero/runtimes/…`. Each loads with its first program.
   *
   * @default []
   */
  runtimes?: readonly Runtime[];
  /**
   * Creates the shell's worker. Set it if the application itself serves the package's `dist/tools/terminal/shell-worker.js`, next to
   * `just-bash.js`. Browsers only.
   */
  worker?: () => Worker;
}

/** Options with all defaults applied. */
export type TerminalSettings = Required<Omit<TerminalOptions, 'worker' | 'network'>> & {
  network: NetworkAccess | null;
};

const TERMINAL_OPTION_KINDS: Record<keyof TerminalOptions, OptionKind> = {
  workingDirectory: 'text',
  env: true,
  timeoutMs: 'amount',
  jobTimeoutMs: 'amount',
  maxOutput: 'count',
  network: true,
  runtimes: 'list',
  worker: 'callback',
};

/** @throws RoleZeroError `invalid` naming an option that does not exist, or whose value cannot be used. */
export function settings(options: TerminalOptions): TerminalSettings {
  checkOptions('terminal()', options, TERMINAL_OPTION_KINDS);
  checkRuntimes(options.runtimes ?? []);
  return {
    workingDirectory: options.workingDirectory ?? '/',
    env: options.env ?? {},
    timeoutMs: options.timeoutMs ?? 30_000,
    jobTimeoutMs: options.jobTimeoutMs ?? 300_000,
    maxOutput: options.maxOutput ?? 12_000,
    network: options.network ?? null,
    runtimes: options.runtimes ?? [],
  };
}

/** @throws RoleZeroError `invalid` if a value is no runtime, or if two runtimes have the same command. */
function checkRuntimes(runtimes: readonly unknown[]): void {
  const known = new Set<string>();
  for (const runtime of runtimes) {
    if (!isRecord(runtime) || !Array.isArray(runtime['commands']) || typeof runtime['run'] !== 'function')
      throw new RoleZeroError(
        'invalid',
        `\`runtimes\` of terminal() must be runtimes, such as javascript() from 'rolezero/runtimes/javascript', but one is ${describeValue(runtime)}.`,
      );
    for (const command of runtime['commands'] as string[]) {
      if (known.has(command))
        throw new RoleZeroError(
          'invalid',
          `Two runtimes of terminal() have the command ${command}. Pass one of them.`,
          { command },
        );
      known.add(command);
    }
  }
}
