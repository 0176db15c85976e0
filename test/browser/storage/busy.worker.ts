import { indexedDbStorage } from '../../../src/storage/index.js';

/** Opens the session, reports that, and then computes forever: the worker that takes longest to terminate. */
self.addEventListener('message', (event: MessageEvent<{ databaseName: string }>) => {
  void hold(event.data.databaseName);
});

async function hold(databaseName: string): Promise<void> {
  await indexedDbStorage({ databaseName }).open('game');
  self.postMessage('open');
  for (;;) Math.random();
}
