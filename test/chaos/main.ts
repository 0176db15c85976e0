import { parseArgs } from 'node:util';
import type { Engine } from '../engines/engine-browser.js';
import { ENGINES, isInstalled } from '../engines/engines.js';
import { runKills, type KillFigures, type KillPlan } from './kills/run-kills.js';
import { LoopDisk } from './power-cuts/loop-disk.js';
import {
  describeFailure,
  runBrowserMixtures,
  runMixtures,
  type MixtureFigures,
} from './mixtures/run-mixtures.js';
import { runPowerCuts } from './power-cuts/run-power-cuts.js';
import { Platform } from './simulation/platform.js';
import { runSchedules, tellFailure } from './simulation/run-schedules.js';
import { Simulator } from './simulation/simulate.js';
import { simulateStorage } from './storage/simulate-storage.js';
import { runEngineSoak } from './soak/run-engine-soak.js';
import { growth, runSoak } from './soak/run-soak.js';
import { percentile, runTakeOvers } from './take-overs/run-take-overs.js';
import { runTornLogs } from './torn-log/run-torn-logs.js';

const HELP = `npm run test:chaos -- [options]
  --seed N         repeats one schedule of the simulated core
  --schedules N    simulated schedules of the core (default 20000; 0 for none)
  --histories N    simulated histories of database and replica (default 2000; 0 for none)
  --mixtures N     random mixtures of all calls of a session, without pages (default 2000; 0 for none)
  --mixtures-in-browser N
                   the same with frames and workers in Chromium (default 30; 0 for none)
  --first N        the first seed of all of these (default 1)
  --every N        kill the worker at every N-th point of the reference run (default 1; 0 for none)
  --take-overs N   takeovers of a session between workers (default 1000; 0 for none)
  --torn-logs N    starts with a truncated LevelDB log (default 50; 0 for none), and a tenth as many controls
  --soak N         minutes of work with a fault every five seconds on average (default 0: none)
  --browser N      kill the whole browser at every N-th point (default 10; 0 for none)
  --engine NAME    only kills of the whole browser, in chromium, firefox or webkit; the latter two must be installed
  --kills N        with --engine: number of kills, evenly distributed over the run (default 100)
                   With --engine and --soak N: N minutes of work with faults instead
  --tab N          reload, and crash the tab, at every N-th point (default: a fifth as often as the browser is killed)
  --power-cuts N   power cuts of the disk with the browser's profile (default 0; needs root and loop devices)`;

/** Runs the long form and returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: text,
      schedules: text,
      histories: text,
      mixtures: text,
      'mixtures-in-browser': text,
      first: text,
      every: text,
      browser: text,
      tab: text,
      engine: text,
      kills: text,
      soak: text,
      'take-overs': text,
      'power-cuts': text,
      'torn-logs': text,
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  if (values.seed !== undefined) return once(Number(values.seed));
  const first = Number(values.first ?? 1);
  if (values.engine !== undefined)
    return inEngine(values.engine, Number(values.kills ?? 100), Number(values.soak ?? 0), first);
  const failed = [
    await schedules(first, Number(values.schedules ?? 20_000)),
    await histories(first, Number(values.histories ?? 2_000)),
    await mixtures('without pages', first, Number(values.mixtures ?? 2_000), runMixtures),
    await mixtures('in Chromium', first, Number(values['mixtures-in-browser'] ?? 30), runBrowserMixtures),
    await takeOvers(Number(values['take-overs'] ?? 1000)),
    await tornLogs(Number(values['torn-logs'] ?? 50)),
    await soak(Number(values.soak ?? 0), first),
    await kills({
      every: Number(values.every ?? 1),
      browser: Number(values.browser ?? 10),
      tab: Number(values.tab ?? Number(values.browser ?? 10) * 5),
    }),
    await powerCuts(Number(values['power-cuts'] ?? 0), first),
  ];
  return failed.some(Boolean) ? 1 : 0;
}

async function once(seed: number): Promise<number> {
  const platform = new Platform();
  platform.take();
  try {
    const result = await new Simulator(platform).run(seed);
    console.log(JSON.stringify(result, null, 2));
    return result.violations.length === 0 ? 0 : 1;
  } finally {
    platform.giveBack();
  }
}

/** Works in one engine with faults, or kills the whole browser there and continues with the same profile. */
async function inEngine(name: string, browserKills: number, minutes: number, seed: number): Promise<number> {
  const engine = ENGINES.find((each) => each === name);
  if (engine === undefined) throw new Error(`--engine must be one of ${ENGINES.join(', ')}, got ${name}.`);
  if (!isInstalled(engine)) {
    console.error(`${name} is not installed. See docs/browsers.md.`);
    return 1;
  }
  const isWrong =
    minutes > 0
      ? await engineSoak(engine, minutes, seed)
      : await kills({ engine, every: 0, browser: 0, browserKills });
  return isWrong ? 1 : 0;
}

async function engineSoak(engine: Engine, minutes: number, seed: number): Promise<boolean> {
  const figures = await runEngineSoak(engine, minutes, seed, (line) => console.log(line));
  const { version, done, struck, interruptions, faults, megabytes } = figures;
  for (const fault of faults) console.log(fault);
  console.log(`${version}: ${minutes} minutes, faults ${JSON.stringify(struck)}, ${done} runs done`);
  console.log(`  ${faults.length} wrong; interrupted: ${JSON.stringify(interruptions)}`);
  console.log(
    `  memory of all processes: ${megabytes.join(', ')} MB, late to early ${growth(megabytes).toFixed(3)}`,
  );
  return faults.length > 0;
}

async function schedules(first: number, count: number): Promise<boolean> {
  if (count === 0) return false;
  const { failures, struck, schedules: run, seconds } = await runSchedules(first, count);
  for (const failure of failures) console.log(tellFailure(failure));
  console.log(`simulated core: ${run} schedules, ${failures.length} violations, ${rate(run, seconds)}`);
  console.log(
    `  faults that struck: ${Object.entries(struck)
      .map(([kind, times]) => `${kind} ${times}`)
      .join(', ')}`,
  );
  return failures.length > 0;
}

async function histories(first: number, count: number): Promise<boolean> {
  if (count === 0) return false;
  const platform = new Platform();
  platform.take();
  const from = performance.now();
  let failures = 0;
  let restored = 0;
  try {
    for (let seed = first; seed < first + count; seed++) {
      const history = await simulateStorage(seed, platform);
      restored += history.restored;
      if (history.violations.length === 0) continue;
      failures += 1;
      console.log(`history ${seed} (${history.losses.join(', ')}): ${history.violations.join('; ')}`);
    }
  } finally {
    platform.giveBack();
  }
  const seconds = (performance.now() - from) / 1000;
  console.log(
    `simulated storage: ${count} histories, ${restored} times restored from the replica, ${failures} violations, ${rate(count, seconds)}`,
  );
  return failures > 0;
}

async function mixtures(
  where: string,
  first: number,
  count: number,
  run: (first: number, count: number) => Promise<MixtureFigures>,
): Promise<boolean> {
  if (count === 0) return false;
  const { operations, failures, seconds } = await run(first, count);
  for (const failure of failures) console.log(describeFailure(failure));
  console.log(
    `mixtures ${where}: ${count} with ${operations} operations, ${failures.length} violations, ${rate(count, seconds)}`,
  );
  return failures.length > 0;
}

async function takeOvers(count: number): Promise<boolean> {
  if (count === 0) return false;
  const figures = await runTakeOvers({ takeOvers: count, cached: Math.max(2, count / 100) });
  const { took, left, commits, owners, stale, lost, refusals } = figures;
  console.log(
    `takeovers: ${took.length}, ${owners} owners wrote ${commits} times, ${stale} stale, ${lost} lost; handover ${shares(took)}; rejected: ${JSON.stringify(refusals)}`,
  );
  console.log(`sessions left in the back/forward cache: ${left.length}, free after ${shares(left)}`);
  return stale + lost > 0 || owners < count;
}

async function tornLogs(count: number): Promise<boolean> {
  if (count === 0) return false;
  const plan = { starts: count, controls: Math.ceil(count / 10), tell: (line: string) => console.log(line) };
  const { starts, repaired, controls, wiped, took } = await runTornLogs(plan);
  console.log(
    `truncated logs: ${repaired} of ${starts} starts repaired, in ${shares(took)}; ${wiped} of ${controls} controls wiped`,
  );
  return repaired < starts || wiped < controls;
}

async function soak(minutes: number, seed: number): Promise<boolean> {
  if (minutes === 0) return false;
  const figures = await runSoak(minutes, seed, (line) => console.log(line));
  const { done, struck, interruptions, faults, heaps } = figures;
  for (const fault of faults) console.log(fault);
  const total = Object.values(struck).reduce((sum, times) => sum + times, 0);
  console.log(
    `soak: ${minutes} minutes, ${total} faults (${JSON.stringify(struck)}), ${done} runs done, ${faults.length} wrong; interrupted: ${JSON.stringify(interruptions)}`,
  );
  for (const [where, { megabytes, more }] of Object.entries(heaps)) {
    console.log(
      `  heap of the ${where}: ${megabytes[0]} MB to ${megabytes.at(-1)} MB, late to early ${growth(megabytes).toFixed(3)}`,
    );
    for (const kind of more) console.log(`    ${kind}`);
  }
  return faults.length > 0;
}

function shares(milliseconds: readonly number[]): string {
  const at = (share: number): string => `${percentile(milliseconds, share).toFixed(0)} ms`;
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, at most ${at(1)}`;
}

async function kills(plan: KillPlan): Promise<boolean> {
  const { every, browser, tab = 0, browserKills = 0 } = plan;
  if (every + browser + tab + browserKills === 0) return false;
  const figures = await runKills({ ...plan, tell: (line) => console.log(line) });
  console.log('fault × points tried × identical resumes × duplicates × lost');
  for (const figure of figures) console.log(line(figure));
  return figures.some(({ tried, identical, duplicates, lost }) => identical < tried || duplicates + lost > 0);
}

async function powerCuts(count: number, seed: number): Promise<boolean> {
  if (count === 0) return false;
  const refusal = LoopDisk.refusal();
  if (refusal !== null) {
    console.error(refusal);
    return true;
  }
  const figures = await runPowerCuts(count, seed, (line) => console.log(line));
  const { cuts, identical, duplicates, lost, silent, warnings } = figures;
  const tried = Object.values(cuts).reduce((sum, times) => sum + times, 0);
  console.log(line({ fault: 'power cut', tried, identical, duplicates, lost }));
  console.log(
    `  ${Object.entries(cuts)
      .map(([instant, times]) => `${times} ${instant}`)
      .join(', ')}; commits missing without a report: ${silent}; reports: ${JSON.stringify(warnings)}`,
  );
  return identical < tried || duplicates + lost + silent > 0;
}

function line({ fault, tried, identical, duplicates, lost }: Figures): string {
  return `${fault} × ${tried} × ${identical} × ${duplicates} × ${lost}`;
}

type Figures = Omit<KillFigures, 'fault'> & { fault: string };

function rate(count: number, seconds: number): string {
  return `${(count / seconds).toFixed(1)} a second`;
}
