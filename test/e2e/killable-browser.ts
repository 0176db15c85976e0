import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type BrowserContext } from 'playwright';
import { chromiumPath, disableFeatures, launchArguments } from '../../scripts/chromium.mjs';

/** Flags that make Chromium store databases in LevelDB. */
export const LEVELDB = [disableFeatures('IdbSqliteBackingStore')];
/** The two database backends of Chromium and their flags. Chromium is migrating to the second. */
export const BACKENDS = [
  { backend: 'LevelDB', more: LEVELDB },
  { backend: 'SQLite', more: ['--enable-features=IdbSqliteBackingStore'] },
];

/** A Chromium in its own process group, with a profile that outlives it. */
export class KillableBrowser {
  #running: ChildProcess | null = null;

  private constructor(
    readonly profile: string,
    private readonly more: readonly string[],
  ) {}

  /** Default: a new profile, and no further arguments. */
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
   * Kills all its processes at once, as a crash or an out-of-memory kill would. Resolves when the process with the
   * databases has ended: a thread in the middle of a write finishes it first, so the profile must not be read or
   * damaged before that.
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
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // It was faster.
    }
    await gone;
  }

  /** Stops it and removes its profile. */
  async remove(): Promise<void> {
    await this.kill();
    await wait(500); // Files still being written block the removal of the profile.
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
