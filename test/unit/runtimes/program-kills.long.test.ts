import { describe, expect, it } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { ChatModel } from '../../../src/core/model.js';
import type { Storage } from '../../../src/core/store.js';
import { git } from '../../../src/runtimes/git/node.js';
import { javascript } from '../../../src/runtimes/javascript/node.js';
import { sqlite } from '../../../src/runtimes/sqlite/node.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { terminal } from '../../../src/tools/terminal/node.js';
import { alive, killedStorage, type Death, type Log } from '../session/storages.js';
import { spaced } from '../../size.js';
import { run, write } from './harness.js';

/** Each program changes several files. */
const STEPS = [
  write(
    '/count.mjs',
    `import fs from 'node:fs';
const [, , name] = process.argv;
fs.mkdirSync('/out', { recursive: true });
fs.appendFileSync('/out/log.txt', name + ' begins\\n');
fs.writeFileSync('/out/' + name + '.json', JSON.stringify({ name, before: fs.readdirSync('/out') }));
fs.appendFileSync('/out/log.txt', name + ' ends\\n');`,
  ),
  run('node count.mjs one; node count.mjs two; cat /out/log.txt'),
  run(
    'sqlite3 a.db "create table t(n)" "insert into t values (1), (2)"; sqlite3 a.db "insert into t select n + 2 from t"',
  ),
  run("git init -q; git add .; git commit -qm First; node -e \"require('fs').rmSync('/out/one.json')\""),
  run(
    'git add .; git commit -qm Second; git log --format=%s; sqlite3 a.db "select count(*), sum(n) from t" >> /out/log.txt',
  ),
  run("node count.mjs three; node -e \"require('fs').writeFileSync('/bad', 'x'); process.exit(3)\""),
];

/** Replies depend on the conversation alone. @param last the number of steps before the end */
function modelOf(last: number): ChatModel {
  return {
    id: 'by conversation',
    contextWindow: 100_000,
    async *chat({ messages, purpose }) {
      const next = messages.filter(({ role }) => role === 'assistant').length;
      const step = STEPS.slice(0, last)[next];
      const reply = step === undefined ? commands(['end', {}]) : commands(step);
      yield { type: 'text-delta', text: purpose === 'think' ? reply : `${purpose}.` };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

interface World {
  storage: Storage;
  /** Null without a log. */
  log: Log | null;
}

function open({ storage, log }: World, death: Death = alive(), last = STEPS.length): Promise<Session> {
  const tools = [...editor(), ...terminal({ runtimes: [javascript(), sqlite(), git()] })];
  return Session.open({
    storage: killedStorage(storage, log, death),
    name: 's',
    takeOver: true,
    roles: [new RoleZero({ model: modelOf(last), tools })],
    askUser: async () => 'yes',
    emit: () => {},
    now: () => 0,
  });
}

/** The files of a session; of the repository, whose hashes depend on the time, only how many objects it has. */
async function filesOf(session: Session): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  let objects = 0;
  for (const { path, type } of await session.files.list('/')) {
    if (type !== 'file') continue;
    if (path.startsWith('/.git/objects/')) objects += 1;
    else if (!path.startsWith('/.git/'))
      files[path] = Buffer.from(await session.files.readBytes(path)).toString('latin1');
  }
  return { ...files, objects: String(objects) };
}

/** The outputs of the command lines so far. */
function outputs(session: Session): string[] {
  return session
    .messages()
    .flatMap(({ metadata }) => (metadata?.['results'] ?? []) as { output: string }[])
    .map(({ output }) => output);
}

/** The files after each step of a run that is not disturbed: the only states that a kill may leave. */
async function statesOf(): Promise<string[]> {
  const states: string[] = [];
  for (let last = 0; last <= STEPS.length; last += 1) {
    const session = await open({ storage: memoryStorage(), log: null }, alive(), last);
    await (
      await session.send('go')
    ).result;
    states.push(JSON.stringify(await filesOf(session)));
    await session.close();
  }
  return states;
}

describe.each([
  ['commit', false],
  ['commit and log entry', true],
])('a run with programs that is killed at every %s', (_what, hasLog) => {
  const fresh = (): World => ({
    storage: memoryStorage(),
    log: hasLog ? { writes: [], random: null } : null,
  });

  it('has the changes of a program with its result or not at all, and each of them once', async () => {
    const counted = alive();
    const whole = await open(fresh(), counted);
    expect(await (await whole.send('go')).result).toMatchObject({ status: 'done' });
    const expected = { files: await filesOf(whole), outputs: outputs(whole) };
    expect(expected.files).toMatchObject({
      '/out/log.txt': 'one begins\none ends\ntwo begins\ntwo ends\n4|10\nthree begins\nthree ends\n',
      '/bad': 'x',
    });
    const states = await statesOf();
    expect(new Set(states).size).toBe(STEPS.length + 1);
    expect(states.at(-1)).toBe(JSON.stringify(expected.files));

    const violations: string[] = [];
    let kills = 0;
    for (let point = 2; point <= counted.count; point += spaced(1)) {
      for (const moment of ['before', 'after'] as const) {
        const each = fresh();
        const died = new Promise<void>((die) => {
          void open(each, { point, moment, count: 0, die }).then((first) => first.send('go'));
        });
        await died;
        const second = await open(each);
        const where = `killed ${moment} write ${point} of ${counted.count}`;
        const left = states.indexOf(JSON.stringify(await filesOf(second)));
        const known = Math.min(outputs(second).length, STEPS.length); // `end` has a result, too
        // The result of a step is stored with its changes, and becomes a message with the next write.
        if (left !== known && left !== known + 1)
          violations.push(`${where}: the files are those after step ${left}, with ${known} results`);
        const result = second.resumable ? await (await second.resume()).result : second.lastRun;
        expect(result, where).toMatchObject({ status: 'done' });
        const ended = { files: await filesOf(second), outputs: outputs(second) };
        if (JSON.stringify(ended) !== JSON.stringify(expected)) violations.push(`${where}: another end`);
        kills += 1;
        await second.close();
      }
    }
    console.log(`${kills} kills, ${violations.length} violations`);
    expect(violations).toEqual([]);
  });
});
