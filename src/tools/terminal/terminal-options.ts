import { checkOptions, type OptionKind } from '../../core/check-options.js';
import type { NetworkAccess } from './shell.js';

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
   * Creates the shell's worker. Set it if the application itself serves the package's `dist/tools/terminal/shell-worker.js`, next to
   * `just-bash.js`. Browsers only.
   */
  worker?: () => Worker;
}

/** Options with all defaults applied. */
export type TerminalSettings = Required<Omit<TerminalOptions, 'worker' | 'network'>> & {
  network: NetworkAccess | null;
};

const OPTION_KINDS: Record<keyof TerminalOptions, OptionKind> = {
  workingDirectory: 'text',
  env: true,
  timeoutMs: 'amount',
  jobTimeoutMs: 'amount',
  maxOutput: 'count',
  network: true,
  worker: 'callback',
};

/** @throws RoleZeroError `invalid` naming an option that does not exist, or whose value cannot be used. */
export function settings(options: TerminalOptions): TerminalSettings {
  checkOptions('terminal()', options, OPTION_KINDS);
  return {
    workingDirectory: options.workingDirectory ?? '/',
    env: options.env ?? {},
    timeoutMs: options.timeoutMs ?? 30_000,
    jobTimeoutMs: options.jobTimeoutMs ?? 300_000,
    maxOutput: options.maxOutput ?? 12_000,
    network: options.network ?? null,
  };
}
