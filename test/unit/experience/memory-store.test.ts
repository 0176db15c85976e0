import { memoryExperiences } from '../../../src/experience/memory-store.js';
import { experienceStoreContract } from '../../contracts/experience-store-contract.js';

experienceStoreContract('memory', () => {
  const store = memoryExperiences();
  return { store, elsewhere: store };
});
