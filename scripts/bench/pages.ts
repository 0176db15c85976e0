import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright';
import { serveScripts } from './browser.js';
import type { PageBench } from './page/page.js';
import type { CommitTimes } from './page/store.worker.js';
import { bundled } from './peers.js';
import { sample, type Sample } from './samples.js';

/** Times between a page and its agent, in ms except for `tokensPerSecond`. */
export interface PageTimes {
  connected: Sample;
  firstEvent: Sample;
  /** The first event of a session that was visited before; missing in figures of earlier runs, as are the next four. */
  returned?: Sample;
  /** The first event of a session with many messages and files. */
  returnedToLarge?: Sample;
  /** To the list of its files. */
  listed?: Sample;
  largeMessages?: number;
  largeFiles?: number;
  tokensPerSecond: Sample;
  longestGap: Sample;
  longTasks: Sample;
  stop: Sample;
  commit: Sample;
  barePut: Sample;
  /** To the newest 50 messages. */
  resume: Sample;
  /** To all of them; missing in figures of earlier runs. */
  resumeWhole?: Sample;
  /** Messages of the session that is resumed. */
  resumed: number;
}

export interface PageOptions {
  rounds: number;
  /** Tokens of one stream. */
  deltas: number;
  /** Messages of the session that is resumed. */
  messages: number;
}

/** Measures everything between a page and its worker on a disk: `context` must be a persistent one. */
export async function measurePages(context: BrowserContext, options: PageOptions): Promise<PageTimes> {
  const [page, agent, store] = await Promise.all(
    ['page.ts', 'agent.worker.ts', 'store.worker.ts'].map((file) =>
      bundled(fileURLToPath(new URL(`./page/${file}`, import.meta.url))),
    ),
  );
  const scripts = new Map(Object.entries({ 'page.js': page, 'agent.js': agent, 'store.js': store }));
  const server = await serveScripts(scripts as Map<string, string>);
  const { rounds, deltas, messages } = options;
  try {
    const commits = (await inWorker(await opened(context, server.origin), {
      commits: rounds * 10,
    })) as CommitTimes;
    const first = await opened(context, server.origin);
    const starts = await first.evaluate((n) => benchOf().starts(n), rounds);
    const returns = await first.evaluate((n) => benchOf().returns(n, 'returned'), rounds);
    const streams = await first.evaluate(([n, d]) => benchOf().streams(n, d), [rounds, deltas] as const);
    const stops = await first.evaluate((n) => benchOf().stops(n), rounds * 4);
    await inWorker(first, { name: 'long', messages });
    const held = (await inWorker(first, { name: 'large', messages: 2 * messages, files: 9_800 })) as number;
    const larges = await first.evaluate((n) => benchOf().returns(n, 'large'), rounds);
    const lists = await first.evaluate((n) => benchOf().lists('large', n), rounds);
    await first.close();
    const resumes = [];
    for (let round = 0; round < rounds; round++) {
      const fresh = await opened(context, server.origin);
      resumes.push(await fresh.evaluate(() => benchOf().resume('long')));
      await fresh.close();
    }
    return {
      connected: sample(starts.map(({ connected }) => connected)),
      firstEvent: sample(starts.map(({ firstEvent }) => firstEvent)),
      returned: sample(returns.map(({ firstEvent }) => firstEvent)),
      returnedToLarge: sample(larges.map(({ firstEvent }) => firstEvent)),
      listed: sample(lists.ms),
      largeMessages: held,
      largeFiles: lists.files,
      tokensPerSecond: sample(streams.map(({ perSecond }) => perSecond)),
      longestGap: sample(streams.map(({ longestGap }) => longestGap)),
      longTasks: sample(streams.map(({ longTasks }) => longTasks)),
      stop: sample(stops),
      commit: sample(commits.ours),
      barePut: sample(commits.bare),
      resume: sample(resumes.map(({ ms }) => ms)),
      resumeWhole: sample(resumes.map(({ whole }) => whole)),
      resumed: resumes[0]?.messages ?? 0,
    };
  } finally {
    server.close();
  }
}

/** Runs in the page. */
declare function benchOf(): PageBench;

export async function opened(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(600_000);
  page.on('pageerror', (error) => console.error(error.message));
  await page.goto(origin);
  await page.addScriptTag({ url: '/page.js', type: 'module' });
  await page.waitForFunction(() => 'bench' in globalThis);
  await page.addScriptTag({ content: 'globalThis.benchOf = () => globalThis.bench;' });
  return page;
}

/** Gives an order to a worker. It is terminated after that, unless the page holds it: then at the next order of the same worker. */
export function inWorker(page: Page, order: object, file = 'store.js', isHeld = false): Promise<unknown> {
  return page.evaluate(
    ([wanted, script, holds]) =>
      new Promise((resolve, reject) => {
        const held = ((globalThis as { held?: Map<string, Worker> }).held ??= new Map());
        const worker = held.get(script) ?? new Worker(`/${script}`, { type: 'module' });
        held.delete(script);
        if (holds) held.set(script, worker);
        worker.onmessage = ({ data }: MessageEvent<{ value?: unknown; error?: string }>) => {
          if (!holds) worker.terminate();
          if (data.error === undefined) resolve(data.value);
          else reject(new Error(data.error));
        };
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(wanted);
      }),
    [order, file, isHeld] as const,
  );
}
