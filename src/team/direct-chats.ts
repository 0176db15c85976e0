import type { Write } from '../core/store.js';

/*
 * Roles that the user addressed directly, and that have not answered yet, are stored in the table `team`, each with a row of its own.
 */

const PREFIX = 'direct/';

/** Returns the names of the stored roles. */
export function readDirectChats(rows: readonly { key: string }[]): Set<string> {
  const keys = rows.map(({ key }) => key).filter((key) => key.startsWith(PREFIX));
  return new Set(keys.map((key) => key.slice(PREFIX.length)));
}

export function startOfDirectChat(role: string): Write {
  return { table: 'team', key: `${PREFIX}${role}`, value: true };
}

export function endOfDirectChat(role: string): Write {
  return { table: 'team', key: `${PREFIX}${role}`, value: undefined };
}
