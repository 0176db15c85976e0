import { expect, it } from 'vitest';
import { toolsFor } from '../../../demo/agent-roles.js';
import { en } from '../../../demo/text/en.js';
import { zh } from '../../../demo/text/zh.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { notes } from '../../../src/notes/index.js';
import { runRole, scriptedModel, commands } from '../../../src/testing/index.js';

it('leaves room for the work in a small window, and has a browser in a larger one', async () => {
  const names = (contextWindow: number) => toolsFor({ contextWindow }).map(({ name }) => name);
  expect(names(8_192).some((name) => name.startsWith('Browser.'))).toBe(false);
  expect(names(32_000).some((name) => name.startsWith('Browser.'))).toBe(true);

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
])('has words for every command of the agent: %s', (_, { rows }) => {
  const model = scriptedModel({}, { contextWindow: 32_000 });
  const { registry } = new RoleZero({ model, tools: toolsFor({ contextWindow: 32_000 }), notes: notes() });
  const { names } = registry;
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => rows[name] === undefined)).toEqual([]);
});
