import { Buffer } from 'buffer/';
import { EventEmitter } from 'events/';
import type { Start } from '../guest-contract.js';
import { call, host, readBytes } from './host.js';

/** Standard input: all of it is there from the start. */
class StandardInput extends EventEmitter {
  readonly fd = 0;
  readonly isTTY = false;
  #encoding: string | null = null;
  #isRead = false;

  setEncoding(encoding = 'utf8'): this {
    this.#encoding = encoding;
    return this;
  }

  #content(): Buffer | string {
    const bytes = Buffer.from(readBytes('/dev/stdin'));
    return this.#encoding === null ? bytes : bytes.toString(this.#encoding);
  }

  override on(event: string, listener: (...args: unknown[]) => void): this {
    super.on(event, listener);
    if (event === 'data' || event === 'readable') this.resume();
    return this;
  }

  /** Emits the content and its end soon. */
  resume(): this {
    if (this.#isRead) return this;
    this.#isRead = true;
    setTimeout(() => {
      const content = this.#content();
      this.emit('readable');
      if (content.length > 0) this.emit('data', content);
      this.emit('end');
      this.emit('close');
    }, 0);
    return this;
  }

  read(): Buffer | string | null {
    if (this.#isRead) return null;
    this.#isRead = true;
    return this.#content();
  }

  pause(): this {
    return this;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer | string> {
    this.#isRead = true;
    const content = this.#content();
    if (content.length > 0) yield content;
  }
}

class StandardOutput extends EventEmitter {
  readonly isTTY = false;
  readonly columns = 80;
  readonly writable = true;

  constructor(
    readonly stream: 'stdout' | 'stderr',
    readonly fd: number,
  ) {
    super();
  }

  write(content: string | Uint8Array, ...others: unknown[]): boolean {
    host().print(this.stream, content);
    const callback = others.at(-1);
    if (typeof callback === 'function') setTimeout(callback as () => void, 0);
    return true;
  }

  end(content?: string | Uint8Array): void {
    if (content !== undefined) this.write(content);
  }
}

type Code = number | string | null | undefined;

/** Returns `process` and what the loop of the program needs of it. */
export function createProcess({ args, cwd, env, main, versions }: Start) {
  let directory = cwd;
  let isExiting = false;
  const emitter = new EventEmitter();
  const process = Object.assign(emitter, {
    argv: ['/usr/bin/node', ...(main === null ? [] : [main]), ...args],
    argv0: 'node',
    execArgv: [] as string[],
    execPath: '/usr/bin/node',
    env,
    exitCode: undefined as Code,
    title: 'node',
    pid: 1,
    ppid: 0,
    platform: 'linux',
    arch: 'wasm32',
    version: `v${versions['node']}`,
    versions,
    release: { name: 'node' },
    features: { typescript: 'strip' },
    stdin: new StandardInput(),
    stdout: new StandardOutput('stdout', 1),
    stderr: new StandardOutput('stderr', 2),
    cwd: () => directory,
    chdir(target: string) {
      const resolved = target.startsWith('/') ? target : `${directory}/${target}`;
      directory = call<string>('directory', resolved);
    },
    exit(code?: Code): never {
      if (code !== undefined) process.exitCode = code;
      emitExit();
      call('exit', Number(process.exitCode ?? 0));
      for (;;); // The host interrupts this loop, which no program can catch.
    },
    abort: () => process.exit(134),
    kill: () => false,
    hrtime: Object.assign(
      (since: [number, number] = [0, 0]): [number, number] => {
        const nanoseconds = BigInt(Math.round(performance.now() * 1e6));
        const seconds = Number(nanoseconds / 1_000_000_000n) - since[0];
        const rest = Number(nanoseconds % 1_000_000_000n) - since[1];
        return rest < 0 ? [seconds - 1, rest + 1e9] : [seconds, rest];
      },
      { bigint: () => BigInt(Math.round(performance.now() * 1e6)) },
    ),
    uptime: () => performance.now() / 1000,
    memoryUsage: () => call<Record<string, number>>('memory'),
    cpuUsage: () => ({ user: Math.round(performance.now() * 1000), system: 0 }),
    nextTick: (callback: (...values: unknown[]) => void, ...values: unknown[]) =>
      queueMicrotask(() => callback(...values)),
    emitWarning: (warning: unknown) => host().print('stderr', `(node) Warning: ${String(warning)}\n`),
    umask: () => 0o22,
    getuid: () => 0,
  });

  function emitExit(): void {
    if (isExiting) return;
    isExiting = true;
    emitter.emit('exit', Number(process.exitCode ?? 0));
  }

  return { process, emitExit };
}
