import { RoleZeroError, toRoleZeroError, type ErrorData } from '../../core/error.js';
import type { Files } from '../../core/files.js';
import { onAbort } from '../../core/on-abort.js';
import type { Program, ProgramHost, ProgramResult } from '../../core/program.js';
import type { Programs } from './shell.js';

/** Allowed methods of `Files`; calls to any other name are rejected. */
const CALLABLE_METHODS = [
  'read',
  'readBytes',
  'write',
  'stat',
  'list',
  'makeDirectory',
  'remove',
  'move',
  'copy',
  'glob',
] as const;
type FileMethod = (typeof CALLABLE_METHODS)[number];

interface FileCall {
  id: number;
  method: FileMethod;
  args: unknown[];
}
type PortReply = { id: number; value: unknown } | { id: number; error: ErrorData };

/** Gives the other end of `port` access to these files until the port is closed. */
export function serveFiles(files: Files, port: MessagePort): void {
  port.onmessage = ({ data }: MessageEvent<FileCall>) => {
    void answerCall(files, data).then((reply) => port.postMessage(reply));
  };
}

async function answerCall(files: Files, { id, method, args }: FileCall): Promise<PortReply> {
  try {
    if (!CALLABLE_METHODS.includes(method)) throw new RoleZeroError('invalid', `Files cannot ${method}.`);
    const methods = files as unknown as Record<FileMethod, (...args: unknown[]) => Promise<unknown>>;
    return { id, value: await methods[method](...args) };
  } catch (error) {
    return { id, error: toRoleZeroError(error).toData() };
  }
}

/** Returns the files at the other end of `port`. */
export function remoteFiles(port: MessagePort): Files {
  const pending = new Map<number, { resolve(value: never): void; reject(error: RoleZeroError): void }>();
  let last = 0;
  port.onmessage = ({ data }: MessageEvent<PortReply>) => {
    const call = pending.get(data.id);
    pending.delete(data.id);
    if ('error' in data) call?.reject(RoleZeroError.fromData(data.error));
    else call?.resolve(data.value as never);
  };
  const call =
    <M extends FileMethod>(method: M) =>
    (...args: Parameters<Files[M]>) =>
      new Promise<never>((resolve, reject) => {
        last += 1;
        pending.set(last, { resolve, reject });
        const message: FileCall = { id: last, method, args };
        port.postMessage(message);
      });
  return {
    read: call('read'),
    readBytes: call('readBytes'),
    write: call('write'),
    stat: call('stat'),
    list: call('list'),
    makeDirectory: call('makeDirectory'),
    remove: call('remove'),
    move: call('move'),
    copy: call('copy'),
    glob: call('glob'),
  };
}

type Exec = ProgramHost['exec'];
type ProgramOutcome = { result: ProgramResult } | { error: ErrorData };

/** From the shell: a call of a program, its end by the shell, or the result of a command line that it ran for a program. */
type FromShell =
  { id: number; program: Program } | { id: number; stop: true } | { line: number; outcome: ProgramOutcome };
/** To the shell: the result of a call, or a command line to run for it. */
type ToShell =
  | { id: number; outcome: ProgramOutcome }
  | { id: number; line: number; commandLine: string; options: Parameters<Exec>[1] };

/** Runs programs for the shell at the other end of `port` until the signal aborts. */
export function servePrograms(programs: Programs, port: MessagePort, signal: AbortSignal): void {
  const calls = new Map<number, AbortController>();
  const lines = new Pending<ProgramResult>();
  const send = (message: ToShell): void => port.postMessage(message);
  port.onmessage = ({ data }: MessageEvent<FromShell>) => {
    if ('line' in data) lines.settle(data.line, data.outcome);
    else if ('stop' in data) calls.get(data.id)?.abort();
    else {
      const { id, program } = data;
      const stop = new AbortController();
      calls.set(id, stop);
      const exec: Exec = (commandLine, options) =>
        lines.wait((line) => send({ id, line, commandLine, options }));
      void settledProgram(
        programs.run(program, { exec, signal: AbortSignal.any([signal, stop.signal]) }),
      ).then((outcome) => {
        calls.delete(id);
        if (!signal.aborted) send({ id, outcome });
      });
    }
  };
}

/** Returns the programs at the other end of `port`. */
export function remotePrograms(commands: readonly string[], port: MessagePort): Programs {
  const calls = new Pending<ProgramResult>();
  const execs = new Map<number, Exec>();
  const send = (message: FromShell): void => port.postMessage(message);
  port.onmessage = ({ data }: MessageEvent<ToShell>) => {
    if ('outcome' in data) calls.settle(data.id, data.outcome);
    else {
      const { line, commandLine, options } = data;
      const exec = execs.get(data.id);
      if (exec !== undefined)
        void settledProgram(exec(commandLine, options)).then((outcome) => send({ line, outcome }));
    }
  };
  return {
    commands,
    async run(program, { exec, signal }) {
      let call = 0;
      let forget = (): void => {};
      try {
        return await calls.wait((id) => {
          call = id;
          execs.set(id, exec);
          send({ id, program });
          forget = onAbort(signal, () => {
            send({ id, stop: true });
            calls.settle(id, { error: new RoleZeroError('aborted', 'The program was stopped.').toData() });
          });
        });
      } finally {
        forget();
        execs.delete(call);
      }
    },
  };
}

/** Calls that wait for their outcome, by number. */
class Pending<Result> {
  readonly #waiting = new Map<number, { resolve(result: Result): void; reject(error: Error): void }>();
  #last = 0;

  /** `send` receives the number of the call. */
  wait(send: (id: number) => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#last += 1;
      this.#waiting.set(this.#last, { resolve, reject });
      send(this.#last);
    });
  }

  settle(id: number, outcome: { result: Result } | { error: ErrorData }): void {
    const call = this.#waiting.get(id);
    this.#waiting.delete(id);
    if ('error' in outcome) call?.reject(RoleZeroError.fromData(outcome.error));
    else call?.resolve(outcome.result);
  }
}

function settledProgram(work: Promise<ProgramResult>): Promise<ProgramOutcome> {
  return work.then(
    (result) => ({ result }),
    (error: unknown) => ({ error: toRoleZeroError(error, 'tool-failed').toData() }),
  );
}
