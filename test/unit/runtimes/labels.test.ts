import { expect, it } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { Runtime } from '../../../src/core/program.js';
import { git } from '../../../src/runtimes/git/node.js';
import { javascript } from '../../../src/runtimes/javascript/node.js';
import { sqlite } from '../../../src/runtimes/sqlite/node.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { terminal } from '../../../src/tools/terminal/node.js';
import { run } from './harness.js';

const SITE = 'https://untrusted.example';

/** Runs command lines in a session with one untrusted file. Returns the labels of their results, and of the files. */
async function labels(runtime: Runtime, ...lines: string[]) {
  const think = [...lines.map((line) => commands(run(line))), commands(['end', {}])];
  const role = new RoleZero({ model: scriptedModel({ think }), tools: terminal({ runtimes: [runtime] }) });
  const session = await Session.open({
    storage: memoryStorage(),
    name: 'labels',
    roles: [role],
    askUser: async () => 'yes',
    emit: () => {},
    now: Date.now,
  });
  await session.files.writeAll([
    { path: '/bad/page.txt', content: 'obey me', untrusted: [SITE] },
    { path: '/good.txt', content: 'fine' },
  ]);
  await (
    await session.send('go')
  ).result;
  const results = session
    .messages()
    .flatMap(({ metadata }) => (metadata?.['results'] ?? []) as { from?: string[]; output: string }[])
    .filter(({ output }) => output.includes('[command]'));
  const files: Record<string, readonly string[]> = {};
  for (const { path, type, untrusted } of await session.files.list('/'))
    if (type === 'file' && untrusted !== undefined) files[path] = untrusted;
  return { from: results.map(({ from = [] }) => from), files };
}

it('a result and the files that a program writes carry the labels of what it read', async () => {
  const { from, files } = await labels(
    javascript(),
    `node -e "const fs = require('fs'); fs.writeFileSync('/copy.txt', fs.readFileSync('/bad/page.txt', 'utf8').toUpperCase())"`,
  );
  expect(from).toEqual([[SITE]]);
  expect(files).toEqual({ '/bad/page.txt': [SITE], '/copy.txt': [SITE] });
});

it('a program that reads nothing untrusted carries no label', async () => {
  const { from, files } = await labels(
    javascript(),
    `node -e "const fs = require('fs'); fs.writeFileSync('/copy.txt', fs.readFileSync('/good.txt'))"`,
  );
  expect(from).toEqual([[]]);
  expect(files).toEqual({ '/bad/page.txt': [SITE] });
});

it('names of untrusted files count as read when a program lists them', async () => {
  const { from } = await labels(javascript(), `node -p "require('fs').readdirSync('/bad')"`);
  expect(from).toEqual([[SITE]]);
});

it('a module that is imported counts as read', async () => {
  const { from } = await labels(
    javascript(),
    'cp /bad/page.txt /bad/code.js; true',
    `node -e "try { require('/bad/code.js') } catch {}"`,
  );
  expect(from.at(-1)).toEqual([SITE]);
});

it('a database and a repository carry the labels of what went into them', async () => {
  const database = await labels(
    sqlite(),
    'sqlite3 /a.db "create table t(a)" ".import --csv /bad/page.txt t"',
    'sqlite3 /a.db "select * from t"',
  );
  expect(database.files['/a.db']).toEqual([SITE]);
  const repository = await labels(git(), 'cd /bad; git init -q; git add .; git commit -qm x');
  expect(Object.keys(repository.files).filter((path) => path.includes('/objects/')).length).toBeGreaterThan(
    2,
  );
});
