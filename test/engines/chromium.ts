import type { BrowserContext, Page } from 'playwright';
import { KillableBrowser } from '../e2e/killable-browser.js';
import { callResult, callSource, type EngineBrowser, type Tab } from './engine-browser.js';

/** Chromium, headless, by its debugging protocol. */
export class Chromium implements EngineBrowser {
  readonly engine = 'chromium';
  version = '';
  #context: BrowserContext | null = null;

  private constructor(private readonly browser: KillableBrowser) {}

  static async make(): Promise<Chromium> {
    return new Chromium(await KillableBrowser.make());
  }

  get group(): number | null {
    return this.browser.group;
  }

  async start(): Promise<void> {
    this.#context = await this.browser.start();
    this.version = `Chromium ${this.#context.browser()?.version() ?? ''}`;
  }

  async open(url: string): Promise<Tab> {
    if (this.#context === null) throw new Error('Chromium does not run.');
    const page = await this.#context.newPage();
    await page.setViewportSize({ width: 1440, height: 900 });
    const tab = new ChromiumTab(page);
    await tab.goto(url);
    return tab;
  }

  async kill(): Promise<void> {
    this.#context = null;
    await this.browser.kill();
  }

  async remove(): Promise<void> {
    await this.browser.remove();
  }
}

class ChromiumTab implements Tab {
  constructor(private readonly page: Page) {}

  async goto(url: string): Promise<void> {
    await this.page.goto(url);
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }

  async evaluate<Given, Result>(inPage: (given: Given) => Result, given?: Given): Promise<Awaited<Result>> {
    return callResult(await this.page.evaluate<string>(callSource(inPage, given))) as Awaited<Result>;
  }

  async click(selector: string): Promise<void> {
    await this.page.locator(selector).first().click();
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  screenshot(): Promise<Buffer> {
    return this.page.screenshot();
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}
