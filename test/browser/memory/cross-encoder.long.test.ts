import { expect, test } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import type { AgentEvent } from '../../../src/core/events.js';
import { UserMessage } from '../../../src/core/message.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { crossEncoderFiles } from '../../tiny-chain/onnx.js';
import { libraryWith } from '../../tiny-chain/served-library.js';

/** The model that the page on memory names. This test provides its files, with a small graph. */
const NAME = 'Xenova/ms-marco-MiniLM-L-6-v2';

test('the documented cross-encoder chooses among the memories that were found by words', async () => {
  libraryWith(NAME, crossEncoderFiles());
  const sample = (await import('documented:docs/how-to/memory.md/AutoModelForSequenceClassification')) as {
    memory: ReturnType<typeof longTermMemory>;
  };
  const events: AgentEvent[] = [];
  const end = commands(['RoleZero.reply_to_human', { content: 'Here.' }], ['end', {}]);
  const session = await Session.open({
    storage: memoryStorage(),
    name: 's',
    roles: [new RoleZero({ model: scriptedModel([end]), longTermMemory: sample.memory })],
    askUser: async () => null,
    emit: (event) => events.push(event),
  });
  // Words prefer the short ones. The others have more letters in common with the request.
  const short = Array.from({ length: 8 }, (_, at) => [`short${at}`, `The report ${at}.`] as const);
  const long = Array.from(
    { length: 5 },
    (_, at) => [`long${at}`, `The report of a jovial pixy quack ${at}.`] as const,
  );
  const items = [...long, ...short].map(([id, content], createdAt) => ({
    id,
    role: '',
    project: '',
    createdAt,
    message: new UserMessage(content, { id }).toData(),
  }));
  await session.memory.import({ format: 'rolezero-memory', version: 1, items });

  await (
    await session.send('Which report? Quick jumpy vex.')
  ).result;

  const recalled = events.flatMap((event) => (event.type === 'memory-recalled' ? event.ids : []));
  expect(recalled.toSorted()).toEqual(long.map(([id]) => id));
  expect(events.filter(({ type }) => type === 'warning')).toEqual([]);
  await session.close();
}, 60_000);
