import { indexedDbStorage } from '../../../src/storage/index.js';
import { storageContract } from '../../contracts/storage-contract.js';
import { freshName } from './fresh-name.js';

storageContract('IndexedDB', {
  fresh: async (now) => {
    const place = { databaseName: freshName(), waitMs: 0, now };
    return { storage: indexedDbStorage(place), elsewhere: () => indexedDbStorage(place) };
  },
  runs: 40,
});
