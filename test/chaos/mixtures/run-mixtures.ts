import { servePage, startChromium } from '../../e2e/chromium.js';
import { runMixture } from './history.js';
import { NodeWorld } from './node-world.js';
import { mixtureOf, shrunk, type Mixture } from './operations.js';

/** A mixture that violates something. */
export interface MixtureFailure {
  mixture: Mixture;
  violations: string[];
}

export interface MixtureFigures {
  operations: number;
  failures: MixtureFailure[];
  seconds: number;
}

/** Operations of one mixture. */
const LENGTH = 50;

/** Milliseconds after which a failing mixture is not shortened further. One that never settles takes long each time. */
const MOST_SHORTENING = 300_000;

type Run = (mixture: Mixture) => Promise<string[]>;

const inNode: Run = (mixture) => runMixture(mixture, new NodeWorld(mixture.settings));

/** Runs mixtures of operations from consecutive seeds, without pages. Failing ones are shortened. */
export function runMixtures(first: number, count: number): Promise<MixtureFigures> {
  return runSeeds(first, count, inNode);
}

/** The same with workers and frames in Chromium: also read-only clients, workers that hang, and workers that are replaced. */
export async function runBrowserMixtures(first: number, count: number): Promise<MixtureFigures> {
  const site = await servePage('mixtures');
  const browser = await startChromium();
  try {
    return await runSeeds(first, count, async (mixture) => {
      const context = await browser.newContext(); // with storage of its own
      try {
        const page = await context.newPage();
        const client = await context.newCDPSession(page);
        await page.exposeFunction('clearSiteData', (storageTypes: string) =>
          client.send('Storage.clearDataForOrigin', { origin: new URL(site.url).origin, storageTypes }),
        );
        await page.goto(site.url);
        await page.waitForFunction(() => typeof window.mixtures === 'object');
        return await page.evaluate((given) => window.mixtures.run(given), mixture);
      } finally {
        await context.close();
      }
    });
  } finally {
    await browser.close();
    await site.close();
  }
}

async function runSeeds(first: number, count: number, run: Run): Promise<MixtureFigures> {
  const from = performance.now();
  const failures: MixtureFailure[] = [];
  for (let seed = first; seed < first + count; seed++) {
    const mixture = mixtureOf(seed, LENGTH);
    const violations = await run(mixture);
    if (violations.length > 0) failures.push(await shorten({ mixture, violations }, run));
  }
  return { operations: count * LENGTH, failures, seconds: (performance.now() - from) / 1000 };
}

/** Returns the shortest mixture found that violates the same. */
async function shorten({ mixture, violations }: MixtureFailure, run: Run): Promise<MixtureFailure> {
  let found = violations;
  const until = performance.now() + MOST_SHORTENING;
  const shorter = await shrunk(mixture, async (candidate) => {
    if (performance.now() > until) return false;
    const now = await run(candidate);
    const isSame = kindOf(now) === kindOf(violations);
    if (isSame) found = now;
    return isSame;
  });
  return { mixture: shorter, violations: found };
}

/** Returns the first violation without what differs from run to run. */
function kindOf([first = '']: readonly string[]): string {
  return first.replaceAll(/[0-9a-f]{32}|\d+|(?<=: )[[{"].*/g, '#').slice(0, 120);
}

/** Describes a failing mixture. */
export function describeFailure({ mixture, violations }: MixtureFailure): string {
  const { settings, operations } = mixture;
  return [
    `mixture ${settings.seed}: ${violations.join('; ').slice(0, 2_000)}`,
    JSON.stringify(settings),
    ...operations.map((operation) => JSON.stringify(operation)),
  ].join('\n  ');
}
