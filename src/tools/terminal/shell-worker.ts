import { toRoleZeroError } from '../../core/error.js';
import { runBash } from './bash.js';
import { smallBuffer } from './encoding.js';
import { remoteFiles } from './file-port.js';
import type { RunMessage, ThreadMessage } from './thread-messages.js';

/** The shell's worker: runs one command line at a time, each on the files that come with it. */
const scope = globalThis as unknown as Pick<Worker, 'postMessage' | 'addEventListener'>;

Object.assign(globalThis, { Buffer: smallBuffer });

const tell = (message: ThreadMessage): void => scope.postMessage(message);

scope.addEventListener('message', ({ data }: MessageEvent<RunMessage>) => {
  runBash(data.run, remoteFiles(data.files)).then(
    (result) => tell({ result }),
    (error: unknown) => tell({ error: toRoleZeroError(error, 'tool-failed').toData() }),
  );
});

tell({ ready: true });
