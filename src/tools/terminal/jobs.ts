import { RoleZeroError } from '../../core/error.js';
import type { Files, ToolFiles } from '../../core/files.js';
import { VirtualFiles } from '../../files/virtual-files.js';
import type { StagedFiles } from '../../files/staged-files.js';
import type { ProgramsOf, Shell, ShellRequest, ShellResult } from './shell.js';

/** Maximum bytes of files to copy for a background job. */
const MAX_COPY = 64 * 1024 * 1024;

interface RunningJob {
  /** The files at the start of the job, with its changes on top. */
  files: StagedFiles;
  controller: AbortController;
  /** Never rejects. */
  end: Promise<{ result: ShellResult } | { error: unknown }>;
  ended: boolean;
}

/**
 * Background command lines, each in its own shell on a copy of the files. The changes of a job are applied by the command that collects it,
 * in that command's transaction, or never.
 */
export class Jobs {
  readonly #shell: Shell;
  readonly #programsOf: ProgramsOf;
  readonly #running = new Map<string, RunningJob>();

  constructor(shell: Shell, programsOf: ProgramsOf) {
    this.#shell = shell;
    this.#programsOf = programsOf;
  }

  has(key: string): boolean {
    return this.#running.has(key);
  }

  /** @throws RoleZeroError `invalid` if there is too much to copy. */
  async start(key: string, request: ShellRequest, files: ToolFiles): Promise<void> {
    this.stop(key);
    const copy = (await copyFiles(files)).stage();
    const controller = new AbortController();
    const job: RunningJob = {
      files: copy,
      controller,
      ended: false,
      end: this.#shell
        .run(request, copy, controller.signal, this.#programsOf)
        .then(
          (result) => ({ result }),
          (error: unknown) => ({ error }),
        )
        .finally(() => (job.ended = true)),
    };
    this.#running.set(key, job);
  }

  /**
   * Waits until a job ends, or until `deadline` aborts.
   *
   * @returns false if the job is still running
   */
  async wait(key: string, deadline: AbortSignal, signal: AbortSignal): Promise<boolean> {
    const job = this.#job(key);
    const done = new AbortController();
    try {
      await new Promise<void>((resolve, reject) => {
        signal.throwIfAborted();
        if (deadline.aborted) resolve();
        deadline.addEventListener('abort', () => resolve(), { signal: done.signal });
        signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: done.signal });
        void job.end.then(() => resolve());
      });
    } finally {
      done.abort();
    }
    return job.ended;
  }

  /**
   * Returns the result of a job that has ended. Applies its changes to `files`, overwriting changes made since it started.
   *
   * @returns the result with the paths of changed files, or the job's error, in which case nothing is changed
   */
  async collect(
    key: string,
    files: Files,
  ): Promise<{ result: ShellResult; changed: string[] } | { error: unknown }> {
    const job = this.#job(key);
    const end = await job.end;
    this.#running.delete(key);
    if ('error' in end) return end;
    await makeChanges(job.files, files);
    return { result: end.result, changed: job.files.effects().map(({ path }) => path) };
  }

  /** Stops a job and discards its changes. */
  stop(key: string): void {
    this.#running.get(key)?.controller.abort(new RoleZeroError('aborted', 'The job was stopped.'));
    this.#running.delete(key);
  }

  #job(key: string): RunningJob {
    const job = this.#running.get(key);
    if (job === undefined) throw new RoleZeroError('internal', `No job ${key} is running.`);
    return job;
  }
}

/** Applies the changes of a job to `files`. Removals come first, so that a file can replace a directory. */
async function makeChanges(job: StagedFiles, files: Files): Promise<void> {
  const paths = job.changes().flatMap(({ table, key }) => (table === 'files' ? [key] : []));
  for (const path of paths.toReversed())
    if (job.entry(path) === undefined && (await files.stat(path)) !== null) await files.remove(path);
  for (const path of paths) {
    const entry = job.entry(path);
    if (entry === undefined) continue;
    const there = await files.stat(path);
    if (there !== null && there.type !== entry.type) await files.remove(path);
    if (entry.type === 'directory') await files.makeDirectory(path);
    else await files.write(path, (await entry.content.load()).stored);
  }
}

/** Copies the files, without those that a rule forbids: one attempt to read them would make the command fail. */
async function copyFiles(files: ToolFiles): Promise<VirtualFiles> {
  const all = await files.list('/', { recursive: true });
  const infos = all.filter(({ type, path }) => type === 'directory' || files.mayRead?.(path) !== false);
  const bytes = infos.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_COPY) {
    throw new RoleZeroError(
      'invalid',
      `The files have ${bytes} bytes, and a background job works on a copy of at most ${MAX_COPY}. Run the command without "daemon".`,
    );
  }
  const copy = new VirtualFiles({ now: Date.now });
  for (const { path, type } of infos) {
    if (type === 'directory') await copy.makeDirectory(path);
    else await copy.write(path, await files.readBytes(path));
  }
  return copy;
}
