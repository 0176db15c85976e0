/** How soon work in a session starts, now and before: until its first call of a model, and until a first file is read. */
import type { Page } from 'playwright';
import type { PageBench } from './page/page.js';
import { inWorker } from './pages.js';
import { sample, type Sample } from './samples.js';
import { inTurns, ofEach, type Compared, type Version } from './versions.js';

/** Runs in the page. */
declare function benchOf(): PageBench;

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

export interface Starts extends Compared<StartTimes> {
  largeMessages: number;
}

/** Files of the session with 260 MB, and the one that is read. */
const HUGE = { files: 5_200, bytes: 50_000, read: '/src/70/3070.ts' };

/** Measures the starts of sessions, after making large ones. */
export async function measureStarts(
  versions: Compared<Version>,
  { rounds, messages }: { rounds: number; messages: number },
): Promise<Starts> {
  const largeMessages = await makeSessions(versions.now.page, messages);
  if (versions.before !== null) await makeSessions(versions.before.page, messages);
  const times = await inTurns(versions, rounds, async (page, round) => ({
    newCall: await call(page, `new-${round}`),
    visitedCall: await call(page, 'visited'),
    largeCall: await call(page, 'large'),
    smallRead: await page.evaluate((path) => benchOf().firstRead('small', path), '/src/0/0.ts'),
    hugeRead: await page.evaluate((path) => benchOf().firstRead('huge', path), HUGE.read),
  }));
  const compared = ofEach(times, (all): StartTimes => {
    const of = (name: keyof StartTimes): Sample => sample(all.map((each) => each[name]));
    return {
      newCall: of('newCall'),
      visitedCall: of('visitedCall'),
      largeCall: of('largeCall'),
      smallRead: of('smallRead'),
      hugeRead: of('hugeRead'),
    };
  });
  return { ...compared, largeMessages };
}

function call(page: Page, session: string): Promise<number> {
  return page.evaluate((name) => benchOf().firstCall(name), session);
}

/** Returns the number of messages of the session with many. */
async function makeSessions(page: Page, messages: number): Promise<number> {
  const made = (await inWorker(page, { name: 'large', messages: 2 * messages, files: 9_800 })) as number;
  for (const [name, count] of [
    ['small', 1],
    ['huge', HUGE.files],
  ] as const)
    await inWorker(page, { name, messages: 2, files: count, bytes: HUGE.bytes });
  return made;
}
