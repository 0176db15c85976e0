import { toRoleZeroError } from '../../core/error.js';
import type { ThreadMessage } from '../../core/worker-threads.js';
import { runBash } from './bash.js';
import { smallBuffer } from './encoding.js';
import { remoteFiles, remotePrograms } from './ports.js';
import type { ShellResult } from './shell.js';
import type { RunMessage } from './shell-threads.js';

/** The shell's worker: runs one command line at a time, each on the files that come with it. */
const scope = globalThis as unknown as Pick<Worker, 'postMessage' | 'addEventListener'>;

Object.assign(globalThis, { Buffer: smallBuffer });

const send = (message: ThreadMessage<ShellResult>): void => scope.postMessage(message);

scope.addEventListener('message', ({ data }: MessageEvent<RunMessage>) => {
  const { run, files, programs } = data;
  runBash(run, remoteFiles(files), remotePrograms(programs.commands, programs.port)).then(
    (result) => send({ result }),
    (error: unknown) => send({ error: toRoleZeroError(error, 'tool-failed').toData() }),
  );
});

send({ ready: true });
