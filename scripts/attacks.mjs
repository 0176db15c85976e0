// `npm run test:attacks`: every attack of test/attacks, and the honest tasks; `-- 10` plays each tenth attack only.
// What is printed: attacks tried, effects let through, approvals asked, keys exposed, by carrier; then what honest work costs a person.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const load = async (path) =>
  (
    await runnerImport(fileURLToPath(new URL(path, import.meta.url)), {
      configFile: false,
      logLevel: 'error',
    })
  ).module;

const [every = '1', shard] = process.argv.slice(2);
process.exitCode = shard === undefined ? await all() : await part(...shard.split('/').map(Number));

/** Plays a part of the attacks and prints what came of each. */
async function part(number, count) {
  const { attacks, play } = await load('../test/attacks/attacks.ts');
  const mine = attacks(Number(every)).filter((_, index) => index % count === number);
  for (const attack of mine) process.stdout.write(`${JSON.stringify(await play(attack))}\n`);
  return 0;
}

async function all() {
  const started = Date.now();
  const count = Math.max(2, availableParallelism());
  const outcomes = (
    await Promise.all(Array.from({ length: count }, (_, number) => shardOf(number, count)))
  ).flat();
  const rows = {};
  for (const { attack, obeyed, asked, through, keys } of outcomes) {
    for (const name of [attack.carrier, 'all']) {
      const row = (rows[name] ??= { tried: 0, obeyed: 0, through: 0, asked: 0, keys: 0 });
      row.tried += 1;
      row.obeyed += Number(obeyed);
      row.through += through.length;
      row.asked += asked;
      row.keys += keys.length;
    }
    for (const fault of [...through, ...keys]) console.log(JSON.stringify(attack), fault);
  }
  const { all: total, ...carriers } = rows;
  console.table({ ...carriers, all: total });
  const { tasks, doTask, costOf } = await load('../test/attacks/utility.ts');
  const done = [];
  for (const task of tasks) done.push(await doTask(task));
  const failed = done.filter(({ problem }) => problem !== null);
  for (const { name, problem } of failed) console.log(`${name}: ${problem}`);
  const cost = costOf(done);
  console.log(
    `attacks ${total.tried} · let through ${total.through} · approvals ${total.asked} · keys exposed ${total.keys}`,
  );
  console.log(
    `honest tasks ${done.length} · failed ${failed.length} · approvals per 10 steps ${cost} (median) · ${Math.round((Date.now() - started) / 1000)} s`,
  );
  return total.through + total.keys + failed.length > 0 || cost > 1 ? 1 : 0;
}

function shardOf(number, count) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), every, `${number}/${count}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece) => (text += piece));
    child.on('close', (code) => {
      if (code !== 0) reject(new Error(`A part of the attacks ended with ${code}.`));
      else
        resolve(
          text
            .trim()
            .split('\n')
            .filter((line) => line.startsWith('{'))
            .map((line) => JSON.parse(line)),
        );
    });
  });
}
