export { indexedDbStorage, type IndexedDbStorageOptions } from './indexed-db-storage.js';
export { indexedDbExperiences, type IndexedDbExperiencesOptions } from './indexed-db-experiences.js';
export { memoryStorage, type MemoryStorageOptions } from './memory-storage.js';
