/** Two versions of the library in one browser, so that what disturbs one disturbs the other. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright';
import { serveScripts } from './browser.js';
import { opened } from './pages.js';
import { bundled } from './peers.js';

/** A version of the library in a page with an origin, and so a database, of its own. */
export interface Version {
  page: Page;
  close: () => Promise<void>;
}

/** Figures of this version and, if it was measured, of another checkout. */
export interface Compared<Figures> {
  now: Figures;
  before: Figures | null;
}

const repository = fileURLToPath(new URL('../..', import.meta.url));
const SCRIPTS = {
  'page.js': 'page.ts',
  'agent.js': 'agent.worker.ts',
  'store.js': 'store.worker.ts',
  'work.js': 'work.worker.ts',
  'shell.js': 'shell.worker.ts',
};

/** Opens this version, or another checkout of it. */
export async function openVersion(context: BrowserContext, before?: string): Promise<Version> {
  const scripts = new Map<string, string>();
  for (const [name, file] of Object.entries(SCRIPTS))
    scripts.set(name, await bundled(fileURLToPath(new URL(`./page/${file}`, import.meta.url)), before));
  scripts.set(
    'shell-thread.js',
    await bundled(resolve(before ?? repository, 'src/tools/terminal/shell-worker.ts')),
  );
  const { origin, close } = await serveScripts(scripts);
  const page = await opened(context, origin);
  return {
    page,
    async close() {
      await page.close();
      close();
    },
  };
}

/** Measures both versions in turns. The figures of the first round are dropped: it fills caches. */
export async function inTurns<Figures>(
  { now, before }: Compared<Version>,
  rounds: number,
  measure: (page: Page, round: number) => Promise<Figures>,
): Promise<Compared<Figures[]>> {
  const all: Figures[] = [];
  const former: Figures[] = [];
  for (let round = 0; round <= rounds; round++) {
    const measured = await measure(now.page, round);
    const other = before === null ? null : await measure(before.page, round);
    if (round === 0) continue;
    all.push(measured);
    if (other !== null) former.push(other);
  }
  return { now: all, before: before === null ? null : former };
}

/** Applies `work` to the figures of each version. */
export function ofEach<From, To>({ now, before }: Compared<From>, work: (figures: From) => To): Compared<To> {
  return { now: work(now), before: before === null ? null : work(before) };
}
