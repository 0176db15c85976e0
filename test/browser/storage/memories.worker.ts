import { UserMessage } from '../../../src/core/message.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { openMemory } from './long-term-visit.js';

/** Adds and forgets memories until it is killed, several hundred messages per commit, and reports each commit. */
addEventListener('message', ({ data }: MessageEvent<string>) => void work(data));

async function work(databaseName: string): Promise<void> {
  const session = await indexedDbStorage({ databaseName, secondCopy: false }).open('s', { takeOver: true });
  const { memory, journal } = await openMemory(session);
  for (let commits = 0; ; commits++) {
    const messages = Array.from({ length: 700 }, (_, at) => new UserMessage(`note ${at % 7} of ${at}`));
    memory.addBatch(messages);
    await memory.embedAll();
    for (const { id } of messages.slice(100, 103)) memory.forget(id);
    await journal.commit();
    postMessage(commits);
  }
}
