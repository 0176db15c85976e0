import { expect, test } from 'vitest';
import { connect, sessions, type Session } from 'rolezero';
import { sized } from '../../size.js';

/** A program of about a quarter of a second that writes at its beginning and at its end. */
const slow = (name: string): string =>
  `node -e "const fs = require('fs'); fs.appendFileSync('/log', '${name} begins\\n'); setTimeout(() => fs.appendFileSync('/log', '${name} ends\\n'), 250)"`;

const LINES = [
  slow('one'),
  `sqlite3 a.db "create table t(n)" "insert into t values (1)"; ${slow('two')}; sqlite3 a.db "insert into t values (2)"`,
  `git init -q; git add log; git commit -qm First; ${slow('three')}; git commit -qam Second`,
  `git log --format=%s >> log; sqlite3 a.db "select sum(n) from t" >> log; ${slow('four')}`,
];
const PAIR = (name: string): string => `${name} begins\n${name} ends\n`;
/** The log after each line: the only contents that a kill may leave. */
const LOGS = [
  '',
  PAIR('one'),
  PAIR('one') + PAIR('two'),
  PAIR('one') + PAIR('two') + PAIR('three'),
  `${PAIR('one')}${PAIR('two')}${PAIR('three')}Second\nFirst\n3\n${PAIR('four')}`,
];

async function open(name: string): Promise<{ session: Session; worker: Worker }> {
  const worker = new Worker(new URL('./kills.worker.ts', import.meta.url), { type: 'module' });
  const session = await connect(worker, { session: name, takeOver: true, config: { lines: LINES } });
  return { session, worker };
}

const logOf = async ({ files }: Session): Promise<string> =>
  (await files.stat('/log')) === null ? '' : files.read('/log');

test(
  'a kill of the worker at any moment leaves all changes of a program or none',
  { timeout: 900_000 },
  async () => {
    const whole = await open('whole');
    const started = performance.now();
    await whole.session.send('go').result();
    const took = performance.now() - started;
    expect(await logOf(whole.session)).toBe(LOGS.at(-1));
    await whole.session.close();
    await sessions.remove('whole');

    const kills = sized(20, 3);
    const left: number[] = [];
    const violations: string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const name = `killed ${kill}`;
      const { session, worker } = await open(name);
      const going = session.send('go').result();
      going.catch(() => {}); // the worker is killed before its end
      await new Promise((resolve) => setTimeout(resolve, (took * (kill + 0.5)) / kills));
      worker.terminate();
      void session.close().catch(() => undefined);
      const { session: again } = await open(name);
      const found = LOGS.indexOf(await logOf(again));
      left.push(found);
      if (found < 0) violations.push(`${name}: a part of a program: ${await logOf(again)}`);
      if (again.resumable) await again.resume().result();
      else if (again.lastRun === null) await again.send('go').result(); // the request was not stored yet
      const end = await logOf(again);
      if (end !== LOGS.at(-1)) violations.push(`${name}: another end: ${end}`);
      await again.close();
      await sessions.remove(name);
    }
    console.log(
      `${kills} kills over ${Math.round(took)} ms, after lines ${left.join(', ')}: ${violations.length} violations`,
    );
    expect(violations).toEqual([]);
    expect(new Set(left).size).toBeGreaterThan(1);
  },
);
