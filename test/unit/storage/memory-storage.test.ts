import { memoryStorage } from '../../../src/storage/index.js';
import { storageContract } from '../../contracts/storage-contract.js';

storageContract('memory', {
  fresh: async (now) => {
    const storage = memoryStorage({ now });
    return { storage, elsewhere: () => storage };
  },
  runs: 300,
});
