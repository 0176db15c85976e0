import type { LongTermMemory } from '../../memory/long-term-memory.js';

/** A role, as far as its long-term memory is concerned. */
export interface RememberingRole {
  readonly name: string;
  readonly agent: { readonly longTerm: LongTermMemory | null };
}

/** Returns the roles with long-term memory; of those that share the same one, the first. */
export function memoryOwners<Role extends RememberingRole>(roles: readonly Role[]): Role[] {
  const places = new Set<string>();
  return roles.filter(({ agent: { longTerm } }) => {
    if (longTerm === null || longTerm.place === null) return longTerm !== null;
    const isFirst = !places.has(longTerm.place);
    places.add(longTerm.place);
    return isFirst;
  });
}
