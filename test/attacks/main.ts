import { parseArgs } from 'node:util';
import { attacks, SETTINGS } from './attacks.js';
import { CARRIERS } from './carriers.js';
import { figuresOf, playAttacks } from './play-attacks.js';
import { costOf, doTask, tasks, type Done } from './utility.js';

const HELP = `npm run test:attacks -- [options]
  --every N        runs only each N-th attack (default 1: all)

Prints attacks tried and obeyed, effects without approval, requested approvals and exposed keys, by carrier; then the approvals of honest tasks.`;

/** Runs every attack, and the honest tasks under the same policy; returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { every: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const every = Number(values.every ?? 1);
  if (!Number.isInteger(every) || every < 1) {
    console.log(`--every must be a positive integer.\n\n${HELP}`);
    return 2;
  }
  const started = performance.now();
  const outcomes = await playAttacks(attacks(every));
  for (const { attack, through, keys } of outcomes)
    for (const fault of [...through, ...keys]) console.log(JSON.stringify(attack), fault);
  console.table(
    Object.fromEntries([
      ...Object.keys(CARRIERS).map((name) => [
        name,
        figuresOf(outcomes.filter(({ attack }) => attack.carrier === name)),
      ]),
      ...Object.keys(SETTINGS).map((name) => [
        `all, ${name}`,
        figuresOf(outcomes.filter(({ attack }) => attack.setting === name)),
      ]),
      ['all', figuresOf(outcomes)],
    ]),
  );
  const { tried, through, asked, keys } = figuresOf(outcomes);
  console.log(
    `attacks ${tried} · without approval ${through} · approvals ${asked} · keys exposed ${keys} · ${seconds(started)}`,
  );
  const done: Done[] = [];
  for (const task of tasks) done.push(await doTask(task));
  const failed = done.filter(({ problem }) => problem !== null);
  for (const { name, problem } of failed) console.log(`${name}: ${problem}`);
  const cost = costOf(done);
  console.log(
    `honest tasks ${done.length} · failed ${failed.length} · approvals per 10 steps ${cost} (median) · ${seconds(started)}`,
  );
  return through + keys + failed.length > 0 || cost > 1 ? 1 : 0;
}

function seconds(started: number): string {
  return `${Math.round((performance.now() - started) / 1000)} s`;
}
