import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { webKitPrograms } from '../../scripts/other-engines.mjs';
import {
  callResult,
  callSource,
  clickAtRest,
  type EngineBrowser,
  type Tab,
  type StandaloneBrowser,
} from './engine-browser.js';
import { ProcessGroup } from './process-group.js';

/** WebKitGTK's own browser on a virtual display, by its WebKitWebDriver (WebDriver over HTTP). */
export class WebKit implements EngineBrowser, StandaloneBrowser {
  readonly engine = 'webkit';
  version = '';
  #display: ProcessGroup | null = null;
  #running: ProcessGroup | null = null;
  #session: WebDriverSession | null = null;
  #hasTab = false;

  private constructor(private readonly home: string) {}

  static async make(): Promise<WebKit> {
    return new WebKit(await mkdtemp(join(tmpdir(), 'rolezero-webkit-')));
  }

  get group(): number | null {
    return this.#running?.id ?? null;
  }

  async start(): Promise<void> {
    const { driver, browser } = programs();
    const port = await freePort();
    await this.#launch(driver, `--port=${port}`);
    this.#session = await WebDriverSession.open(`http://127.0.0.1:${port}`, browser);
    this.version = `WebKitGTK ${this.#session.browserVersion}`;
    this.#hasTab = false;
  }

  async startAt(url: string): Promise<void> {
    await this.#launch(programs().browser, url);
  }

  /** Starts a program on a display and a session bus of its own. */
  async #launch(...program: string[]): Promise<void> {
    const { display, bus } = programs();
    // Xvfb picks a free display and prints its number.
    const screen = ['-displayfd', '1', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'];
    this.#display = new ProcessGroup(display, screen, process.env);
    const [number] = await this.#display.says(/^\d+$/m);
    const environment = { ...process.env, ...this.#environment(number) };
    this.#running = new ProcessGroup(bus, ['--', ...program], environment);
  }

  async open(url: string): Promise<Tab> {
    const session = this.#session;
    if (session === null) throw new Error('WebKitGTK does not run.');
    const handle = this.#hasTab ? await session.newTab() : await session.firstTab();
    const size = { x: 0, y: 0, width: 1440, height: 1000 };
    if (!this.#hasTab) await session.inTab(handle, 'POST', '/window/rect', size); // Tabs share a window.
    this.#hasTab = true;
    const tab = new WebKitTab(session, handle);
    await tab.goto(url);
    return tab;
  }

  async kill(): Promise<void> {
    const running = [this.#running, this.#display];
    this.#running = this.#display = this.#session = null;
    for (const group of running) await group?.kill();
  }

  async remove(): Promise<void> {
    await this.kill();
    await wait(500); // Files still being written block the removal of the profile.
    try {
      await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      // The document portal of the desktop may have mounted a file system in the cache, and was killed with the session bus.
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
    }
  }

  /**
   * All data below one folder; no sandbox, which needs privileges that containers lack. Pages are painted by the processor, because the driver
   * that emulates a GPU with several threads crashed in rare cases, and is slower.
   */
  #environment(display: string): NodeJS.ProcessEnv {
    return {
      DISPLAY: `:${display}`,
      GDK_BACKEND: 'x11',
      GDK_DEBUG: 'no-portals', // dialogs and files of the desktop are not used
      GTK_USE_PORTAL: '0',
      HOME: this.home,
      LIBGL_ALWAYS_SOFTWARE: '1',
      LP_NUM_THREADS: '0',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1',
      XDG_CACHE_HOME: join(this.home, 'cache'),
      XDG_CONFIG_HOME: join(this.home, 'config'),
      XDG_DATA_HOME: join(this.home, 'data'),
    };
  }
}

function programs(): NonNullable<ReturnType<typeof webKitPrograms>> {
  const found = webKitPrograms();
  if (found === undefined) throw new Error('There is no WebKitGTK with a driver.');
  return found;
}

class WebKitTab implements Tab {
  constructor(
    private readonly session: WebDriverSession,
    private readonly handle: string,
  ) {}

  goto(url: string): Promise<void> {
    return this.#send('POST', '/url', { url }) as Promise<void>;
  }

  reload(): Promise<void> {
    return this.#send('POST', '/refresh', {}) as Promise<void>;
  }

  async evaluate<Given, Result>(inPage: (given: Given) => Result, given?: Given): Promise<Awaited<Result>> {
    const script = `${callSource(inPage, given)}.then(arguments[arguments.length - 1]);`;
    const text = (await this.#send('POST', '/execute/async', { script, args: [] })) as string;
    return callResult(text) as Awaited<Result>;
  }

  async click(selector: string): Promise<void> {
    // A query by CSS finds nothing in the shadow root of the conversation.
    const script = `const chat = document.querySelector('rolezero-chat')?.shadowRoot;
      return document.querySelector(arguments[0]) ?? chat?.querySelector(arguments[0]);`;
    await clickAtRest(this, selector, async () => {
      const found = await this.#send('POST', '/execute/sync', { script, args: [selector] });
      await this.#send('POST', `/element/${idOf(found)}/click`, {});
    });
  }

  async type(text: string): Promise<void> {
    const focused = idOf(await this.#send('GET', '/element/active'));
    await this.#send('POST', `/element/${focused}/value`, { text });
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from((await this.#send('GET', '/screenshot')) as string, 'base64');
  }

  async close(): Promise<void> {
    await this.#send('DELETE', '/window');
  }

  #send(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.session.inTab(this.handle, method, path, body);
  }
}

/** The id of an element in a reply; its key is fixed by the standard. */
function idOf(element: unknown): string {
  return (element as Record<string, string>)['element-6066-11e4-a52e-4f735466cecf'] ?? '';
}

/** A session of WebDriver (https://www.w3.org/TR/webdriver2/). Its commands run one after the other. */
class WebDriverSession {
  #queue: Promise<unknown> = Promise.resolve();
  #current: string | null = null;

  private constructor(
    private readonly url: string,
    readonly browserVersion: string,
  ) {}

  static async open(driver: string, binary: string): Promise<WebDriverSession> {
    const options = {
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
      timeouts: { script: 240_000, pageLoad: 60_000 },
    };
    const body = { capabilities: { alwaysMatch: options } };
    for (let tries = 0; ; tries++) {
      try {
        const { sessionId, capabilities } = (await request('POST', `${driver}/session`, body)) as {
          sessionId: string;
          capabilities: { browserVersion: string };
        };
        return new WebDriverSession(`${driver}/session/${sessionId}`, capabilities.browserVersion);
      } catch (error) {
        if (!isRefused(error) || tries === 300) throw error;
        await wait(50); // The driver does not listen yet.
      }
    }
  }

  firstTab(): Promise<string> {
    return this.#next(() => request('GET', `${this.url}/window`)) as Promise<string>;
  }

  async newTab(): Promise<string> {
    const created = this.#next(() => request('POST', `${this.url}/window/new`, { type: 'tab' }));
    return ((await created) as { handle: string }).handle;
  }

  inTab(handle: string, method: string, path: string, body?: unknown): Promise<unknown> {
    return this.#next(async () => {
      if (this.#current !== handle) await request('POST', `${this.url}/window`, { handle });
      this.#current = handle;
      return request(method, this.url + path, body);
    });
  }

  #next(command: () => Promise<unknown>): Promise<unknown> {
    const result = this.#queue.then(command);
    this.#queue = result.catch(() => {});
    return result;
  }
}

async function request(method: string, url: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (response.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`${error}: ${message}`);
}

function isRefused(error: unknown): boolean {
  return (error as { cause?: { code?: string } }).cause?.code === 'ECONNREFUSED';
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
