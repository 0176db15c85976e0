import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type BrowserContext } from 'playwright';
import { chromiumPath, launchArguments } from '../../scripts/chromium.mjs';

/** What asks Chromium to keep databases in LevelDB. */
export const LEVELDB = ['--disable-features=IdbSqliteBackingStore'];
/** What it may keep them in, and what asks for it; the second is what it is going over to. */
export const BACKENDS = [
  { backend: 'LevelDB', more: LEVELDB },
  { backend: 'SQLite', more: ['--enable-features=IdbSqliteBackingStore'] },
];

/** A Chromium of its own process group over a profile that outlives it. */
export class KillableBrowser {
  #running: ChildProcess | null = null;

  private constructor(
    readonly profile: string,
    private readonly more: readonly string[],
  ) {}

  /** Default: a new profile of its own, and nothing more on its command line. */
  static async make(profile?: string, more: readonly string[] = []): Promise<KillableBrowser> {
    return new KillableBrowser(profile ?? (await mkdtemp(join(tmpdir(), 'rolezero-browser-'))), more);
  }

  /** Its process group, while it runs. */
  get group(): number | null {
    return this.#running?.pid ?? null;
  }

  async start(): Promise<BrowserContext> {
    const path = chromiumPath();
    if (path === undefined) throw new Error('there is no Chromium');
    const portFile = join(this.profile, 'DevToolsActivePort');
    await rm(portFile, { force: true });
    const args = [...launchArguments, ...this.more, '--headless=new', `--user-data-dir=${this.profile}`];
    this.#running = spawn(path, [...args, '--remote-debugging-port=0', 'about:blank'], {
      detached: true,
      stdio: 'ignore',
    });
    let port = '';
    for (let tries = 0; tries < 600 && !/\d/.test(port); tries++) {
      await wait(50);
      port = await readFile(portFile, 'utf8').catch(() => '');
    }
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port.split('\n')[0]}`);
    return browser.contexts()[0] ?? browser.newContext();
  }

  /**
   * Ends all its processes at once, as a crash or the end of memory would; resolves when the one with the databases is gone. A thread in the
   * middle of a write still finishes it before it dies: who looks at the profile, or damages it, waits for that.
   */
  async kill(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    if (running?.pid === undefined) return;
    const isGone = running.exitCode !== null || running.signalCode !== null;
    const gone = isGone ? null : once(running, 'exit');
    try {
      process.kill(-running.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // else it was faster
    }
    await gone;
  }

  /** Ends it and removes what it has written. */
  async remove(): Promise<void> {
    await this.kill();
    await wait(500); // what it was writing is in the way of removing the profile
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
