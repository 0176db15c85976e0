import { expect, it } from 'vitest';
import type { RoleZero } from '../../../src/agent/role-zero.js';
import type { ChatModel } from '../../../src/core/model.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { exportsOf } from './snippets.js';

it('the part of the page about parts counts words, shows them once, and remembers them', async () => {
  const { role } = await exportsOf<{ role: (model: ChatModel) => RoleZero }>(
    'docs/how-to/parts.md',
    'const wordCount: PartFactory',
  );
  const say = commands(['RoleZero.reply_to_human', { content: 'Done.' }], ['end', {}]);
  const model = scriptedModel({ think: [commands(['Words.count', {}]), say, say] });
  const storage = memoryStorage();
  const open = () =>
    Session.open({ storage, name: 's', roles: [role(model)], askUser: async () => null, emit: () => {} });
  const session = await open();
  await (
    await session.send('Count these words')
  ).result;
  expect(await session.callPart('words', 'count')).toBe(3);
  const [first, second] = model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
  expect(first).toContain('# Words of the user\\n3');
  expect(second).toContain('3');
  expect(second).not.toContain('# Words of the user');
  await session.close();
  const again = await open();
  await (
    await again.send('Two more')
  ).result;
  expect(await again.callPart('words', 'count')).toBe(5);
});
