import type { Experience, ExperienceStore } from '../core/experience.js';

/** Stores experiences in Maps: for tests, and for workers that need no persistence. */
export function memoryExperiences(): ExperienceStore {
  const pools = new Map<string, Map<string, Experience>>();
  return {
    get: async (pool, uuid) => structuredClone(pools.get(pool)?.get(uuid)),
    list: async (pool) =>
      [...(pools.get(pool) ?? [])]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, experience]) => structuredClone(experience)),
    async put(pool, experiences) {
      const copies = structuredClone(experiences);
      const entries = pools.get(pool) ?? new Map<string, Experience>();
      pools.set(pool, entries);
      for (const experience of copies) entries.set(experience.uuid, experience);
    },
    async remove(pool, uuids) {
      for (const uuid of uuids) pools.get(pool)?.delete(uuid);
    },
    clear: async (pool) => void pools.delete(pool),
  };
}
