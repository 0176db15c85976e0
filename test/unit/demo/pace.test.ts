import { expect, it, onTestFinished } from 'vitest';
import { controlPace, pageSetsPace } from '../../../demo/tour/pace.js';

const WEEK = 7 * 24 * 3_600_000;
const never = new AbortController().signal;

/** Controls the session; a week passes in less than a millisecond. */
function controlled(session: string) {
  const control = controlPace(session, () => WEEK * 10);
  onTestFinished(() => control.close());
  return control;
}
/** Messages between page and worker have arrived. */
const delivered = () => new Promise((resolve) => setTimeout(resolve, 50));

it('a speed chosen before the worker of the tour listens is not lost', async () => {
  controlled('one');
  const pace = pageSetsPace('one');
  await delivered();
  await pace.read(WEEK, never);
  await pace.pause(WEEK, never);
});

it('"next" ends the reading of its own session only', async () => {
  const pages = [controlPace('a', () => 1), controlPace('b', () => 1)];
  onTestFinished(() => pages.forEach((page) => page.close()));
  const [a, b] = [pageSetsPace('a'), pageSetsPace('b')];
  const stop = new AbortController();
  const reads = { a: a.read(WEEK, stop.signal), b: b.read(WEEK, stop.signal) };
  pages[0]?.next();
  await reads.a;
  await delivered();
  stop.abort(new Error('still reading'));
  await expect(reads.b).rejects.toThrow('still reading');
});
