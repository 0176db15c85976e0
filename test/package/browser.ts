import { chromium, type Browser } from 'playwright';
import { chromiumPath, launchArguments } from '../../scripts/chromium.mjs';
import { commands } from '../../src/testing/scripted-model.js';
import { startFaultServer } from '../fault-server/fault-server.js';
import { reply } from '../fault-server/replies.js';

export function launch(): Promise<Browser> {
  const executablePath = chromiumPath();
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [...launchArguments],
  });
}

/** Replies of a model that is asked to write a file. */
const script = (cmd: string | null): string[] => [
  commands(['Editor.write', { path: '/a.txt', content: 'hi' }]),
  ...(cmd === null ? [] : [commands(['Terminal.run_command', { cmd }])]),
  commands(['RoleZero.reply_to_human', { content: 'It is written.' }], ['end', {}]),
];

export type Source = 'file' | 'text';

export interface Played {
  /** The result that `app/play.js` stored on the page. */
  outcome: unknown;
  /**
   * URLs of the page's workers in the order of their start: the agent's, which may take two tries, and with a command
   * the shell's.
   */
  workers: Source[];
  /** Errors of the page. */
  errors: string[];
}

/**
 * Opens one page of an application in a new profile, with its own model on a real server.
 *
 * @param cmd Command that runs in the terminal after the file was written.
 */
export async function playPage(browser: Browser, url: string, cmd: string | null = null): Promise<Played> {
  const model = await startFaultServer();
  model.script(script(cmd).map((text) => reply(text)));
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const errors: string[] = [];
    const workers: Source[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('worker', (started) => workers.push(started.url().startsWith('blob:') ? 'text' : 'file'));
    await page.goto(`${url}?model=${encodeURIComponent(model.url)}`);
    await page.waitForFunction('window.outcome !== undefined', null, { timeout: 60_000 });
    return { outcome: await page.evaluate('window.outcome'), workers, errors };
  } finally {
    await context.close();
    await model.close();
  }
}
