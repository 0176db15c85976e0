/** How soon work in a session starts, now and before: until its first call of a model, and until a first file is read. */
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright';
import { serveScripts } from './browser.js';
import type { PageBench } from './page/page.js';
import { inWorker, opened } from './pages.js';
import { bundled } from './peers.js';
import { sample, type Sample } from './samples.js';

/** Times of one version of the library, in ms. */
export interface StartTimes {
  /** From `connect` to the first byte of the request at the server: a new session, a visited one, one with many messages and files. */
  newCall: Sample;
  visitedCall: Sample;
  largeCall: Sample;
  /** From `connect` to the content of a file of 50 kB: the only one of its session, and one of 260 MB. */
  smallRead: Sample;
  hugeRead: Sample;
}

export interface Starts {
  now: StartTimes;
  before: StartTimes | null;
  largeMessages: number;
}

/** Files of the session with 260 MB, and the one that is read. */
const HUGE = { files: 5_200, bytes: 50_000, read: '/src/70/3070.ts' };

interface Version {
  page: Page;
  messages: number;
  close: () => void;
}

/** Measures this version and, in turns, that of another checkout. Each has an origin, and so a database, of its own. */
export async function measureStarts(
  context: BrowserContext,
  { rounds, messages, before }: { rounds: number; messages: number; before?: string | undefined },
): Promise<Starts> {
  const now = await version(context, messages);
  const former = before === undefined ? null : await version(context, messages, before);
  const versions = [now, ...(former === null ? [] : [former])];
  const times = versions.map((): Record<keyof StartTimes, number>[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { page }] of versions.entries()) {
      const measured: Record<keyof StartTimes, number> = {
        newCall: await call(page, `new-${round}`),
        visitedCall: await call(page, 'visited'),
        largeCall: await call(page, 'large'),
        smallRead: await page.evaluate((path) => benchOf().firstRead('small', path), '/src/0/0.ts'),
        hugeRead: await page.evaluate((path) => benchOf().firstRead('huge', path), HUGE.read),
      };
      if (round > 0) times[index]?.push(measured); // The first round fills caches, and lists the files for the model.
    }
  }
  for (const { page, close } of versions) {
    await page.close();
    close();
  }
  const of = (index: number): StartTimes => {
    const all = (name: keyof StartTimes): Sample => sample((times[index] ?? []).map((each) => each[name]));
    return {
      newCall: all('newCall'),
      visitedCall: all('visitedCall'),
      largeCall: all('largeCall'),
      smallRead: all('smallRead'),
      hugeRead: all('hugeRead'),
    };
  };
  return { now: of(0), before: former === null ? null : of(1), largeMessages: now.messages };
}

/** Runs in the page. */
declare function benchOf(): PageBench;

function call(page: Page, session: string): Promise<number> {
  return page.evaluate((name) => benchOf().firstCall(name), session);
}

async function version(context: BrowserContext, messages: number, before?: string): Promise<Version> {
  const files = ['page.ts', 'agent.worker.ts', 'store.worker.ts'];
  const [page = '', agent = '', store = ''] = await Promise.all(
    files.map((file) => bundled(fileURLToPath(new URL(`./page/${file}`, import.meta.url)), before)),
  );
  const scripts = new Map(Object.entries({ 'page.js': page, 'agent.js': agent, 'store.js': store }));
  const { origin, close } = await serveScripts(scripts);
  const started = await opened(context, origin);
  const made = (await inWorker(started, { name: 'large', messages: 2 * messages, files: 9_800 })) as number;
  for (const [name, count] of [
    ['small', 1],
    ['huge', HUGE.files],
  ] as const)
    await inWorker(started, { name, messages: 2, files: count, bytes: HUGE.bytes });
  return { page: started, messages: made, close };
}
