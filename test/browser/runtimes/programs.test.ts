import { expect, test } from 'vitest';
import { agent, outputs, run, useSessions, write } from '../tools/terminal/terminal-agent.js';

useSessions();

const start = (): Worker => new Worker(new URL('./programs.worker.ts', import.meta.url), { type: 'module' });

test('SQLite stores its database as a file of the session, which the next session reads', async () => {
  const first = await agent(
    [
      write('/people.csv', 'name,age\nAda,36\nAlan,41\n'),
      run(
        'sqlite3 people.db ".import --csv people.csv people" "select name from people where cast(age as int) > 40"',
      ),
    ],
    { start },
  );
  expect((await outputs(first.session.send('go')))[1]).toBe('Alan\n (pay attention to this.)');
  await first.session.close();
  const again = await agent([run('sqlite3 -json people.db "select count(*) as n from people"')], {
    start,
    name: first.name,
  });
  expect(await outputs(again.session.send('go'))).toEqual(['[{"n":2}]\n (pay attention to this.)']);
});

test('git keeps a history of the files, and merges', async () => {
  const { session } = await agent(
    [
      run(
        'git init -q; echo one > a.txt; git add .; git commit -qm First; git switch -qc other; echo two >> a.txt',
      ),
      run(
        'git commit -qam Second; git switch -q main; git merge -q other > /dev/null; git log --format=%s; git status -s; cat a.txt',
      ),
    ],
    { start },
  );
  expect((await outputs(session.send('go')))[1]).toBe('Second\nFirst\none\ntwo\n');
});

test('runtimes work together in one command line', async () => {
  const { session } = await agent(
    [
      run(
        'sqlite3 a.db "create table t(a); insert into t values (1), (2)"; git init -q; git add a.db; git commit -qm Data',
      ),
      run(
        'sqlite3 -json a.db "select a from t" | node -p "JSON.parse(require(\'fs\').readFileSync(0)).length + 1"',
      ),
    ],
    { start },
  );
  expect((await outputs(session.send('go')))[1]).toBe('3\n (pay attention to this.)');
});
