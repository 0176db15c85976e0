/** Command lines over many files and a large one, now and before, beside the interpreter alone. */
import { inWorker } from './pages.js';
import type { ShellOrder } from './page/shell.worker.js';
import { GREP, RG, type ShellTimes } from './sessions-report.js';
import { sample } from './samples.js';
import { inTurns, ofEach, type Compared, type Version } from './versions.js';

/** Command lines, and what they print. `slow`: the interpreter takes minutes, so only the terminal runs it; an earlier version, once. */
const LINES: readonly { line: string; prints: string; slow?: true }[] = [
  { line: RG, prints: '100', slow: true },
  { line: GREP, prints: '100' },
  { line: 'grep -rn needle /src | wc -l', prints: '100' },
  { line: "find /src -name '*77.ts' | wc -l", prints: '50' },
  { line: 'wc -l /large.txt', prints: '100001' },
  { line: "sed -n '/needle/p' /large.txt | wc -l", prints: '1' },
];

export async function measureShell(
  versions: Compared<Version>,
  rounds: number,
): Promise<Compared<ShellTimes>> {
  const found: Compared<ShellTimes> = { now: {}, before: versions.before === null ? null : {} };
  for (const { slow, ...order } of LINES) {
    const both = slow ? { ...versions, before: null } : versions;
    const times = await inTurns(both, rounds, async (page) => {
      const run = (isAlone: boolean): Promise<unknown> =>
        inWorker(page, { ...order, isAlone } satisfies ShellOrder, 'shell.js', true);
      return { terminal: (await run(false)) as number, alone: slow ? null : ((await run(true)) as number) };
    });
    if (slow && versions.before !== null) {
      const ms = await inWorker(versions.before.page, { ...order, isAlone: false }, 'shell.js', true);
      times.before = [{ terminal: ms as number, alone: null }];
    }
    const { now, before } = ofEach(times, (all) => ({
      terminal: sample(all.map(({ terminal }) => terminal)),
      alone: slow ? null : sample(all.flatMap(({ alone }) => alone ?? [])),
    }));
    found.now[order.line] = now;
    if (before !== null && found.before !== null) found.before[order.line] = before;
  }
  return found;
}
