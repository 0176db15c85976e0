import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { firefoxPath } from '../../scripts/other-engines.mjs';
import { BidiConnection } from './bidi-connection.js';
import {
  callResult,
  callSource,
  clickAtRest,
  type EngineBrowser,
  type Tab,
  type StandaloneBrowser,
} from './engine-browser.js';
import { ProcessGroup } from './process-group.js';

/** No first-run pages, no background requests, no questions about storage. */
const PREFERENCES = {
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.sessionstore.resume_from_crash': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.storageManager.prompt.testing': true,
  'dom.storageManager.prompt.testing.allow': true,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'remote.active-protocols': 1, // WebDriver BiDi only
  'toolkit.startup.max_resumed_crashes': -1, // else it starts in safe mode after a few kills
  'toolkit.telemetry.reportingpolicy.firstRun': false,
};

/** Firefox, headless, by WebDriver BiDi over its own port. */
export class Firefox implements EngineBrowser, StandaloneBrowser {
  readonly engine = 'firefox';
  version = '';
  #running: ProcessGroup | null = null;
  #connection: BidiConnection | null = null;

  private constructor(private readonly profile: string) {}

  static async make(): Promise<Firefox> {
    const profile = await mkdtemp(join(tmpdir(), 'rolezero-firefox-'));
    const lines = Object.entries(PREFERENCES).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    await writeFile(join(profile, 'user.js'), lines.join('\n'));
    return new Firefox(profile);
  }

  get group(): number | null {
    return this.#running?.id ?? null;
  }

  async start(): Promise<void> {
    const running = this.#launch('--remote-debugging-port', '0');
    const [, address] = await running.says(/WebDriver BiDi listening on (ws:\/\/\S+)/);
    this.#connection = await BidiConnection.open(`${address}/session`);
    const { capabilities } = (await this.#connection.send('session.new', { capabilities: {} })) as {
      capabilities: { browserVersion: string };
    };
    this.version = `Firefox ${capabilities.browserVersion}`;
  }

  startAt(url: string): Promise<void> {
    this.#launch(url);
    return Promise.resolve();
  }

  #launch(...more: string[]): ProcessGroup {
    const path = firefoxPath();
    if (path === undefined) throw new Error('There is no Firefox.');
    const args = ['--headless', '--no-remote', '--profile', this.profile, ...more];
    this.#running = new ProcessGroup(path, args, {
      ...process.env,
      HOME: this.profile,
      MOZ_CRASHREPORTER_DISABLE: '1',
      MOZ_DISABLE_SAFE_MODE_KEY: '1',
    });
    return this.#running;
  }

  async open(url: string): Promise<Tab> {
    const connection = this.#connection;
    if (connection === null) throw new Error('Firefox does not run.');
    const { context } = (await connection.send('browsingContext.create', { type: 'tab' })) as {
      context: string;
    };
    await connection.send('browsingContext.setViewport', { context, viewport: { width: 1440, height: 900 } });
    const tab = new FirefoxTab(connection, context);
    await tab.goto(url);
    return tab;
  }

  async kill(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.kill();
    this.#connection?.close();
    this.#connection = null;
  }

  async remove(): Promise<void> {
    await this.kill();
    await wait(500); // Files still being written block the removal of the profile.
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

class FirefoxTab implements Tab {
  constructor(
    private readonly connection: BidiConnection,
    private readonly context: string,
  ) {}

  async goto(url: string): Promise<void> {
    await this.connection.send('browsingContext.navigate', { context: this.context, url, wait: 'complete' });
  }

  async reload(): Promise<void> {
    await this.connection.send('browsingContext.reload', { context: this.context, wait: 'complete' });
  }

  async evaluate<Given, Result>(inPage: (given: Given) => Result, given?: Given): Promise<Awaited<Result>> {
    const { result } = (await this.connection.send('script.evaluate', {
      expression: callSource(inPage, given),
      target: { context: this.context },
      awaitPromise: true,
    })) as { result: { value: string } };
    return callResult(result.value) as Awaited<Result>;
  }

  async click(selector: string): Promise<void> {
    await clickAtRest(this, selector, ({ x, y }) =>
      this.#perform({
        type: 'pointer',
        id: 'mouse',
        actions: [
          { type: 'pointerMove', x, y },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      }),
    );
  }

  async type(text: string): Promise<void> {
    const actions = Array.from(text).flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#perform({ type: 'key', id: 'keyboard', actions });
  }

  async screenshot(): Promise<Buffer> {
    const { data } = (await this.connection.send('browsingContext.captureScreenshot', {
      context: this.context,
    })) as { data: string };
    return Buffer.from(data, 'base64');
  }

  async close(): Promise<void> {
    await this.connection.send('browsingContext.close', { context: this.context });
  }

  async #perform(source: Record<string, unknown>): Promise<void> {
    await this.connection.send('input.performActions', { context: this.context, actions: [source] });
  }
}
