import { chromium, type BrowserContext, type Page } from 'playwright';
import type { FileInfo } from 'rolezero';
import { chromiumPath, launchArguments, webgpuArguments } from '../chromium.mjs';
import type { Detection } from '../../src/providers/detect/detect-models.js';
import type { ModelChoice } from './arguments.js';
import type { Answer, Ended, Opened, Setup, TryTerminal } from './page/bridge.js';

/**
 * The page's URL, whatever port it is really served on: sessions belong to an origin, so it must be the same at every
 * call. As a localhost URL it is secure, and Ollama accepts it by default.
 */
const ORIGIN = 'http://localhost:4640';

/** The agent is no longer available; `code` and message say why. */
export class AgentError extends Error {
  override readonly name = 'AgentError';

  constructor(
    readonly code: string,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/**
 * Starts the machine's Chromium headless with a profile; with `gpu` it may use the GPU.
 * @throws AgentError
 */
export async function launchBrowser(profile: string, port: number, gpu: boolean): Promise<BrowserContext> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) {
    const message =
      'No Chromium, Chrome or Edge was found. Set CHROMIUM_PATH to one, or run: npx playwright install chromium';
    throw new AgentError('worker-start', message);
  }
  try {
    return await chromium.launchPersistentContext(profile, {
      executablePath,
      headless: true,
      args: [
        ...launchArguments.filter((argument) => !(gpu && argument === '--disable-gpu')),
        ...(gpu ? webgpuArguments : []),
        `--host-resolver-rules=MAP ${new URL(ORIGIN).host} 127.0.0.1:${port}`,
      ],
      handleSIGINT: false, // The run is stopped first.
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (error) {
    const taken = /ProcessSingleton|profile.*in use/i.test(String(error));
    const message = taken
      ? `Another browser uses the profile ${profile}. Wait until it has ended, or choose another --profile.`
      : `Chromium did not start: ${(error as Error).message.split('\n')[0] ?? ''}`;
    throw new AgentError(taken ? 'session-busy' : 'worker-start', message, error);
  }
}

/** The agent in its page. Calls reject with an AgentError. */
export class Agent {
  private constructor(private readonly page: Page) {}

  /** Starts it in a page that is not used for anything else. */
  static async start(page: Page, terminal: TryTerminal): Promise<Agent> {
    const broken = new Promise<never>((_, reject) => {
      page.on('pageerror', ({ message }) => reject(new AgentError('worker-start', message)));
    });
    broken.catch(() => {}); // After the page has loaded, its calls report errors.
    await alive(async () => {
      await page.exposeFunction('tryTell', terminal.tell);
      await page.exposeFunction('tryAsk', terminal.ask);
      await page.goto(ORIGIN);
      await Promise.race([page.waitForFunction(() => window.tryPage !== undefined), broken]);
    });
    return new Agent(page);
  }

  /** Returns the available model of the machine; `mayDownload`: one for the processor may be downloaded. */
  detect(mayDownload: boolean): Promise<Detection> {
    return ask(() => this.page.evaluate((may) => window.tryPage?.detect(may), mayDownload));
  }

  /** @param setup of an evaluation */
  open(session: string, model: ModelChoice, setup: Setup | null = null): Promise<Opened> {
    return ask(() =>
      this.page.evaluate(([name, choice, more]) => window.tryPage?.open(name, choice, more), [
        session,
        model,
        setup,
      ] as const),
    );
  }

  run(request: string | null): Promise<Ended> {
    return ask(() => this.page.evaluate((text) => window.tryPage?.run(text), request));
  }

  /** Reloads the page at any moment; pending calls fail. The session must be reopened. */
  reload(): Promise<void> {
    return alive(async () => {
      await this.page.reload();
      await this.page.waitForFunction(() => window.tryPage !== undefined);
    });
  }

  stop(): Promise<void> {
    return alive(() => this.page.evaluate(() => window.tryPage?.stop()));
  }

  files(): Promise<FileInfo[]> {
    return ask(() => this.page.evaluate(() => window.tryPage?.files()));
  }

  read(path: string): Promise<Uint8Array> {
    return ask(() => this.page.evaluate((name) => window.tryPage?.read(name), path));
  }

  /** Returns the output of a command line over the files of the session. */
  shell(commandLine: string): Promise<string> {
    return ask(() => this.page.evaluate((line) => window.tryPage?.shell(line), commandLine));
  }

  async close(): Promise<void> {
    await ask(() => this.page.evaluate(() => window.tryPage?.close()));
  }

  /** Closes the session and deletes it. */
  async discard(): Promise<void> {
    await ask(() => this.page.evaluate(() => window.tryPage?.discard()));
  }
}

async function ask<Value>(call: () => Promise<Answer<Value> | undefined>): Promise<Value> {
  const answer = await alive(call);
  if (answer === undefined) throw new AgentError('worker-start', 'The page of the agent did not load.');
  if (!answer.ok) throw new AgentError(answer.error.code, answer.error.message);
  return answer.value;
}

/** The page returns its errors as values; a rejected call means that there was no page to answer it. */
async function alive<Value>(call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AgentError) throw error;
    const why = (error as Error).message.split('\n')[0] ?? '';
    throw new AgentError('worker-lost', `The browser or its page has closed (${why}).`, error);
  }
}
