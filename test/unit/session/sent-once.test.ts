import { expect, it } from 'vitest';
import type { ChatRequest } from '../../../src/core/model.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';

it('sends only new content to the model after a reload', async () => {
  const storage = memoryStorage();
  const visit = async (text: string) => {
    const requests: ChatRequest[] = [];
    const thought = commands(['RoleZero.reply_to_human', { content: `${text}: done` }], ['end', {}]);
    const session = await Session.open({
      storage,
      name: 's',
      roles: [new RoleZero({ callPlan: 'classic', model: scriptedModel({ think: [thought] }) })],
      askUser: async () => null,
      emit: () => {},
      onRequest: (request) => requests.push(request),
      now: () => 0, // a request names the time when a minute has passed
    });
    await (
      await session.send(text)
    ).result;
    await session.close();
    return requests;
  };
  await visit('first request');
  const [classify] = await visit('second request');
  expect(classify?.messages.at(-1)?.content).toMatch(
    /^Command RoleZero.reply_to_human executed[\s\S]*\n\nsecond request\n\nBefore any work/,
  );
  const answers = classify?.messages.filter(({ content }) => String(content).startsWith('first request'));
  expect(answers).toHaveLength(1);
});
