import type { DemoTimes } from './demo.js';
import type { LoopRow } from './loops.js';
import type { PageTimes } from './pages.js';
import { overLaunches } from './samples.js';

/** The times of one library in several launches of the browser, without failed launches. */
export function loopsOver(launches: readonly (readonly LoopRow[])[]): LoopRow[] {
  const [first = []] = launches;
  return first.map((row) => {
    const same = launches.flatMap((rows) =>
      rows.filter(({ name, variant }) => name === row.name && variant === row.variant),
    );
    const times = row.times.map(({ steps }) => {
      const taken = same.flatMap((each) => each.times.filter((time) => time.steps === steps));
      return {
        steps,
        reached: Math.min(...taken.map(({ reached }) => reached)),
        perStep: overLaunches(taken.map(({ perStep }) => perStep)),
        growth: overLaunches(taken.map(({ growth }) => growth)),
      };
    });
    return { ...row, times, note: same.find(({ note }) => note !== '')?.note ?? '' };
  });
}

export function pageOver(launches: readonly PageTimes[]): PageTimes {
  type Name = Exclude<keyof PageTimes, 'resumed' | 'largeMessages' | 'largeFiles'>;
  const of = (name: Name) => overLaunches(launches.flatMap((page) => page[name] ?? []));
  return {
    connected: of('connected'),
    firstEvent: of('firstEvent'),
    tokensPerSecond: of('tokensPerSecond'),
    longestGap: of('longestGap'),
    longTasks: of('longTasks'),
    stop: of('stop'),
    commit: of('commit'),
    barePut: of('barePut'),
    resume: of('resume'),
    resumeWhole: of('resumeWhole'),
    returned: of('returned'),
    returnedToLarge: of('returnedToLarge'),
    listed: of('listed'),
    largeMessages: launches[0]?.largeMessages ?? 0,
    largeFiles: launches[0]?.largeFiles ?? 0,
    resumed: launches[0]?.resumed ?? 0,
  };
}

export function demoOver(launches: readonly DemoTimes[]): DemoTimes {
  return {
    interactive: overLaunches(launches.map(({ interactive }) => interactive)),
    longSession: overLaunches(launches.map(({ longSession }) => longSession)),
    messages: launches[0]?.messages ?? 0,
  };
}
