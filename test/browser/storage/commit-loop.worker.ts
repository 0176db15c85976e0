import { indexedDbStorage } from '../../../src/storage/index.js';
import { pad, put } from '../../contracts/records.js';

/** Commits until it is killed and posts the count after each commit. */
self.addEventListener('message', (event: MessageEvent<{ databaseName: string }>) => {
  void loop(event.data.databaseName);
});

async function loop(databaseName: string): Promise<void> {
  const store = await indexedDbStorage({ databaseName }).open('game');
  const start = (await store.load('inbox')).length;
  for (let number = start; ; number++) {
    const file = new Uint8Array(2_000).fill(number);
    await store.commit(
      [
        put('inbox', pad(number), { number }),
        put('roles', 'Zero', { number }),
        put('files', `/${number % 3}`, { number, file }),
      ],
      [number, 0, 0, 0],
    );
    self.postMessage(number + 1);
  }
}
