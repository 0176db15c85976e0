export { indexedDbStorage } from './indexed-db-storage.js';
export { indexedDbExperiences } from './indexed-db-experiences.js';
export { memoryStorage } from './memory-storage.js';
