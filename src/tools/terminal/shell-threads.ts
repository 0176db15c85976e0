import type { ToolFiles } from '../../core/files.js';
import { WorkerThreads } from '../../core/worker-threads.js';
import { serveFiles, servePrograms } from './ports.js';
import { tookTooLong, type ProgramsOf, type Shell, type ShellRequest, type ShellResult } from './shell.js';

/** Message to a shell's worker: runs a command over the files at the other end of the port. One command at a time. */
export interface RunMessage {
  run: ShellRequest;
  files: MessagePort;
  /** Names of the programs of runtimes, and where to run them. */
  programs: { commands: readonly string[]; port: MessagePort };
}

const HINT =
  "Import terminal from 'rolezero/tools/terminal/inline', which brings the worker along as text (a Content-Security-Policy must " +
  'allow worker-src blob:), or pass terminal({ worker: () => new Worker(…) }).';

/** Shells in their own workers. The programs that a shell calls end with its command line. */
export class ShellThreads implements Shell {
  readonly #threads: WorkerThreads<ShellResult>;

  /** `hint`: advice if the worker from `start` does not work. */
  constructor(start: () => Worker, hint = HINT) {
    this.#threads = new WorkerThreads(start, 'terminal', hint);
  }

  async run(
    request: ShellRequest,
    files: ToolFiles,
    signal: AbortSignal,
    programsOf: ProgramsOf,
  ): Promise<ShellResult> {
    const ended = new AbortController();
    const fileChannel = new MessageChannel();
    const programChannel = new MessageChannel();
    const programs = programsOf(request, files);
    serveFiles(files, fileChannel.port1);
    servePrograms(programs, programChannel.port1, AbortSignal.any([signal, ended.signal]));
    const message: RunMessage = {
      run: request,
      files: fileChannel.port2,
      programs: { commands: programs.commands, port: programChannel.port2 },
    };
    const work = {
      message,
      transfer: [fileChannel.port2, programChannel.port2],
      timeoutMs: request.timeoutMs,
      late: () => tookTooLong(request),
    };
    try {
      return await this.#threads.run(work, signal);
    } finally {
      ended.abort();
      fileChannel.port1.close();
      programChannel.port1.close();
    }
  }

  /** Loads the first worker in idle time, ahead of its first command. */
  prefetch(): void {
    this.#threads.prefetch();
  }
}
