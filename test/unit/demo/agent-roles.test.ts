import { expect, it } from 'vitest';
import { toolsFor } from '../../../demo/agent-roles.js';
import { en } from '../../../demo/text/en.js';
import { zh } from '../../../demo/text/zh.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { notes } from '../../../src/notes/index.js';
import { TeamLeader } from '../../../src/team/team-leader.js';
import { runRole, scriptedModel, commands } from '../../../src/testing/index.js';

it('leaves room for the work in a small window, which has a few commands of the browser, and a tiny one none', async () => {
  const names = (contextWindow: number) => toolsFor({ contextWindow }).map(({ name }) => name);
  const pages = (contextWindow: number) => names(contextWindow).filter((name) => name.startsWith('Browser.'));
  expect(pages(4_096)).toEqual([]);
  expect(pages(8_192).toSorted()).toEqual([
    'Browser.click',
    'Browser.console',
    'Browser.goto',
    'Browser.view',
  ]);
  expect(pages(32_000).length).toBeGreaterThan(15);

  const write = (path: string) =>
    commands(['Editor.write', { path, content: 'A line of text.\n'.repeat(60) }]);
  const model = scriptedModel(
    { think: [...Array.from({ length: 6 }, (_, index) => write(`/${index}.txt`)), commands(['end', {}])] },
    { contextWindow: 8_192 },
  );
  const { outcome, files } = await runRole(
    new RoleZero({ model, tools: toolsFor(model) }),
    'Write six files',
  );
  expect([outcome.status, Object.keys(files).length]).toEqual(['done', 6]);
});

it.each([
  ['English', en],
  ['Chinese', zh],
])('has words of its own only for commands that exist, the same in each language: %s', (_, { rows }) => {
  const model = scriptedModel({}, { contextWindow: 32_000 });
  const { registry } = new RoleZero({ model, tools: toolsFor({ contextWindow: 32_000 }), notes: notes() });
  const known = new Set([...registry.names, ...new TeamLeader({ model }).registry.names]);
  expect(Object.keys(rows).filter((name) => !known.has(name))).toEqual([]);
  expect(Object.keys(rows).toSorted()).toEqual(Object.keys(en.rows).toSorted());
});
