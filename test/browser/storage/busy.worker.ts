import { indexedDbStorage } from '../../../src/storage/index.js';

/** Opens the session, reports that, and then computes for ever: the worker that is slowest to die. */
self.addEventListener('message', (event: MessageEvent<{ databaseName: string }>) => {
  void hold(event.data.databaseName);
});

async function hold(databaseName: string): Promise<void> {
  await indexedDbStorage({ databaseName }).open('game');
  self.postMessage('open');
  for (;;) Math.random();
}
