import type { NetworkAccess } from './shell.js';

export interface TerminalOptions {
  /** Where the first command starts; default `/`. */
  workingDirectory?: string;
  /** Variables every command finds, until one sets them anew. */
  env?: Readonly<Record<string, string>>;
  /** Milliseconds a command may take; default 30,000. */
  timeoutMs?: number;
  /** Milliseconds a background job may take; default 300,000. */
  jobTimeoutMs?: number;
  /** Most characters of standard output, and of standard error, that the model is shown; default 12,000. */
  maxOutput?: number;
  /**
   * Addresses `curl` may fetch; without it there is no network and no curl. Browsers ask the server for leave (CORS). What
   * it brings is labelled with the origin: from then on the person is asked before commands that could send something out.
   */
  network?: NetworkAccess;
  /** Makes the shell's worker, where the application itself serves the package's `dist/tools/terminal/shell-worker.js`, with `just-bash.js` beside it. Browsers only. */
  worker?: () => Worker;
}

/** The options with every default in its place. */
export type TerminalSettings = Required<Omit<TerminalOptions, 'worker' | 'network'>> & {
  network: NetworkAccess | null;
};

export function settings(options: TerminalOptions): TerminalSettings {
  return {
    workingDirectory: options.workingDirectory ?? '/',
    env: options.env ?? {},
    timeoutMs: options.timeoutMs ?? 30_000,
    jobTimeoutMs: options.jobTimeoutMs ?? 300_000,
    maxOutput: options.maxOutput ?? 12_000,
    network: options.network ?? null,
  };
}
