import { expect, it } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { notes } from '../../../src/notes/index.js';
import { Session } from '../../../src/session/session.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { freshName } from './fresh-name.js';
import { inDatabase, inReplicas } from './stored-text.js';

const TEXT = 'The word is swordfish-4711.';

/** A session in a database connection of its own, like that of another tab. */
async function open(databaseName: string, name: string) {
  const model = scriptedModel({
    think: [
      commands(['Notes.write', { kind: 'decision', text: 'Ship on Friday.' }]),
      commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]),
    ],
  });
  const session = await Session.open({
    storage: indexedDbStorage({ databaseName }),
    name,
    roles: [new RoleZero({ model, notes: notes({ shared: 'project' }) })],
    askUser: null,
    emit: () => undefined,
  });
  const last = (): string => String(model.requests[0]?.messages.at(-1)?.content);
  const texts = async (): Promise<string[]> => (await session.notes.list()).map(({ text }) => text);
  return { session, last, texts };
}

it('shares notes between two sessions of one database, and leaves nothing of a removed one', async () => {
  const databaseName = freshName();
  const one = await open(databaseName, 'one');
  const two = await open(databaseName, 'two');
  const { id } = await one.session.notes.write({ kind: 'fact', text: TEXT });
  expect(await two.texts()).toEqual([TEXT]);
  expect((await (await two.session.send('Plan the release.')).result).status).toBe('done');
  expect(two.last()).toContain(`fact: ${TEXT}`);
  expect(await one.texts()).toEqual([TEXT, 'Ship on Friday.']);
  await one.session.close();
  await two.session.close();

  const again = await open(databaseName, 'one');
  expect(await again.texts()).toEqual([TEXT, 'Ship on Friday.']);
  const third = await open(databaseName, 'three');
  await third.session.notes.change(id, { text: 'The word is herring.' });
  expect(await inDatabase(databaseName)).toContain('swordfish'); // as an earlier version, and in the prompt of two
  expect(await again.session.notes.remove(id)).toBe(true);
  expect(await third.texts()).toEqual(['Ship on Friday.']);
  await Promise.all([again.session.close(), third.session.close()]);
  await indexedDbStorage({ databaseName }).remove('two'); // the conversation that contained the note
  expect(await inDatabase(databaseName)).not.toMatch(/swordfish|herring/);
  expect(await inReplicas()).not.toMatch(/swordfish|herring/);
});
