import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import {
  applied,
  withRequest,
  emptyConversation,
  failedCommands,
} from '../../../src/element/conversation.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

const end = commands(['RoleZero.reply_to_human', { content: 'All done.' }], ['end', {}]);
const edit = (path: string) =>
  commands(['Editor.edit_file_by_replace', { file_name: path, first_replaced_line_number: 1 }]);

/** Runs the replies. Returns the results, before and after a reload, and the failures that the element shows. */
async function run(think: string[]) {
  const storage = memoryStorage();
  let conversation = withRequest(emptyConversation, 'Change both files, please');
  const ends: AgentEvent[] = [];
  const open = () =>
    Session.open({
      storage,
      name: 's',
      roles: [new RoleZero({ model: scriptedModel({ think }), tools: editor() })],
      askUser: null,
      emit: (event) => {
        conversation = applied(conversation, event);
        if (event.type === 'run-end') ends.push(event);
      },
    });
  const session = await open();
  const result = await (await session.send('Change both files, please')).result;
  await session.close();
  const again = await open();
  return {
    result,
    ends,
    stored: again.lastRun,
    shown: failedCommands(conversation.entries, conversation.entries.length - 1),
  };
}

it('says how many commands of the last step that worked have failed', async () => {
  const { result, ends, stored, shown } = await run([edit('/none.txt'), end]);
  expect(result).toMatchObject({ status: 'done', failedCommands: 1 });
  expect(ends[0]).toMatchObject({ type: 'run-end', failedCommands: 1 });
  expect(stored).toEqual(result);
  expect(shown).toBe(1);
});

it('says nothing when a later step has repaired it', async () => {
  const write = commands(['Editor.write', { path: '/a.txt', content: 'a' }]);
  const { result, shown } = await run([edit('/none.txt'), write, end]);
  expect(result.status).toBe('done');
  expect(result).not.toHaveProperty('failedCommands');
  expect(shown).toBe(0);
});
