import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

/** A program in its own process group, which ends with this process at the latest. */
export class ProcessGroup {
  readonly #child: ChildProcess;
  #output = '';

  constructor(path: string, args: readonly string[], env: NodeJS.ProcessEnv, options: SpawnOptions = {}) {
    this.#child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env, ...options });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (data: Buffer) => (this.#output = (this.#output + data.toString()).slice(-100_000)));
    process.once('exit', this.#killGroup);
    this.#child.on('error', (error) => (this.#output += String(error)));
  }

  get id(): number | null {
    return this.#child.pid ?? null;
  }

  /** Resolves with the match once the output contains the pattern. @throws Error when it ends or 60 s pass before. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const match = pattern.exec(this.#output);
      if (match !== null) return match;
      if (this.#isGone || Date.now() > deadline)
        throw new Error(`${this.#child.spawnfile} did not start: ${this.#output.slice(-1000)}`);
      await new Promise((next) => setTimeout(next, 50));
    }
  }

  /** Kills the whole group. Resolves when its first process has ended. */
  async kill(): Promise<void> {
    const gone = this.#isGone ? null : once(this.#child, 'exit');
    process.off('exit', this.#killGroup);
    this.#killGroup();
    await gone;
  }

  readonly #killGroup = (): void => {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // It was faster.
    }
  };

  get #isGone(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}
