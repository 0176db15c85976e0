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

type Run = (mixture: Mixture) => Promise<string[]>;

const inNode: Run = (mixture) => runMixture(mixture, new NodeWorld(mixture.settings));

/** Runs mixtures of operations from consecutive seeds, without pages. Failing ones are shortened. */
export function runMixtures(first: number, count: number): Promise<MixtureFigures> {
  return runSeeds(first, count, inNode);
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
  const shorter = await shrunk(mixture, async (candidate) => {
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
