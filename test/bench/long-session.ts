import type { SessionExport } from '../../src/core/store.js';
import { longTermMemory } from '../../src/parts/long-term/long-term.js';
import { RoleZero } from '../../src/agent/role-zero.js';
import { Session } from '../../src/session/session.js';
import { memoryStorage } from '../../src/storage/index.js';
import { commands } from '../../src/testing/index.js';

/**
 * A session of the demo after long work: this many messages, of which `window` are in the window and the others are
 * memories.
 */
export async function longSession(name: string, messages: number, window: number): Promise<SessionExport> {
  let answers = 0;
  const role = new RoleZero({
    name: 'Zero',
    summarize: false,
    maxSteps: Infinity,
    language: 'English',
    longTermMemory: longTermMemory({ maxMessages: window }),
    model: {
      id: 'long',
      contextWindow: 32_000,
      async *chat({ purpose }) {
        if (purpose === 'think') answers += 1;
        const next =
          answers * 2 >= messages
            ? commands(['end', {}])
            : commands([
                'RoleZero.reply_to_human',
                { content: `Number ${answers}: ${'a word or two, '.repeat(12)}` },
              ]);
        yield {
          type: 'text-delta',
          text: purpose === 'classify' ? 'Response Category: TASK' : purpose === 'think' ? next : 'Done.',
        };
        yield { type: 'finish', reason: 'stop' };
      },
    },
  });
  const session = await Session.open({
    roles: [role],
    storage: memoryStorage(),
    name,
    askUser: null,
    emit: () => {},
  });
  await (
    await session.send('Talk at length.')
  ).result;
  const document = await session.export();
  await session.close();
  return document;
}
