import { chromium, type Browser, type BrowserContext, type Route } from 'playwright';
import { chromiumPath, launchArguments } from '../chromium.mjs';
import type { Evaluated, TextFiles } from './task.js';
import { contentTypeOf } from '../content-type.js';

/** No server has this name (RFC 2606): every request is answered here. */
const ORIGIN = 'https://result.invalid';

/** Requests that a page can make past the routes of its context. */
const NO_NETWORK = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** Runs what models wrote, in a Chromium of its own: without network, without storage that is used again, and with a time limit. */
export class Sandbox {
  #browser: Promise<Browser> | null = null;

  /** @param timeLimit of one evaluation in ms: code of a model may never end */
  constructor(private readonly timeLimit = 10_000) {}

  /** Evaluates a function body in a page of the result; see `Evaluate`. */
  readonly evaluate = async (files: TextFiles, page: string | null, body: string): Promise<Evaluated> => {
    const context = await (await this.#running()).newContext({ serviceWorkers: 'block' });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Evaluated>((resolve) => {
      const problem = `It did not end in ${this.timeLimit / 1000} s.`;
      timer = setTimeout(() => resolve({ problem }), this.timeLimit);
    });
    const work = evaluateIn(context, files, page, body).catch((error: unknown) => ({
      problem: (error as Error).message.split('\n')[0] ?? '',
    }));
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
      await context.close().catch(() => {});
    }
  };

  /** Returns the browser. It starts at the first call, and again after a crash. */
  async #running(): Promise<Browser> {
    const started = this.#browser;
    const browser = await started?.catch(() => null);
    if (browser?.isConnected() === true) return browser;
    // Another call may have started it again in the meantime.
    if (this.#browser === started || this.#browser === null) this.#browser = launch();
    return this.#browser;
  }

  async close(): Promise<void> {
    const browser = this.#browser;
    this.#browser = null;
    await (await browser?.catch(() => null))?.close();
  }
}

function launch(): Promise<Browser> {
  const executablePath = chromiumPath();
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [...launchArguments, ...NO_NETWORK],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

async function evaluateIn(
  context: BrowserContext,
  files: TextFiles,
  path: string | null,
  body: string,
): Promise<Evaluated> {
  await context.route('**/*', (route) => answer(route, files, path));
  await context.routeWebSocket('**/*', (socket) => socket.close());
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
  await page.goto(`${ORIGIN}${path ?? '/'}`);
  // As JSON: a value with methods, or one that cannot be copied, is no result.
  const text = await page.evaluate<string>(
    `(async () => { ${body} })().then((value) => JSON.stringify(value))`,
  );
  return { value: JSON.parse(text) as unknown };
}

/** Answers a request with a file of the result. There is no other network. */
async function answer(route: Route, files: TextFiles, page: string | null): Promise<void> {
  const { origin, pathname } = new URL(route.request().url());
  if (origin !== ORIGIN) return route.abort();
  const path = decodeURIComponent(pathname);
  const text = page === null && path === '/' ? '<!doctype html>' : files[path];
  if (text === undefined) return route.fulfill({ status: 404, body: `There is no ${path}.` });
  const type = page === null && path === '/' ? 'text/html' : contentTypeOf(path);
  return route.fulfill({ body: text, contentType: `${type ?? 'text/plain'}; charset=utf-8` });
}
