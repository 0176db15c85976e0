import { MemoryLongTermStore } from '../../../src/memory/memory-long-term-store.js';
import { longTermStoreContract } from '../../contracts/long-term-store-contract.js';

longTermStoreContract('a Map', async () => ({ store: new MemoryLongTermStore(), commit: async () => {} }));
