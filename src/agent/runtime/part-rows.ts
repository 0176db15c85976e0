/** The rows of parts in the table `parts`: `<role>/<part>/<key>`. They stay when the user goes back to an earlier request, like notes. */
import { RoleZeroError } from '../../core/error.js';
import type { Write } from '../../core/store.js';
import type { RoleContext } from './context.js';
import type { AgentPart, PartRow } from './part.js';
import { decodeName, encodeName } from './tool-rows.js';

/** Returns the writes for rows of a part. */
export function partWrites(role: string, part: string, rows: readonly PartRow[]): Write[] {
  return rows.map(({ key, value }) => ({
    table: 'parts',
    key: `${prefixOf(role, part)}${encodeName(key)}`,
    value,
  }));
}

/** Reads the rows of a part in the order of their keys; none without a store. @throws RoleZeroError `storage-…`. */
export async function loadPartRows(
  { load }: Pick<RoleContext, 'load'>,
  role: string,
  part: string,
): Promise<PartRow[]> {
  const prefix = prefixOf(role, part);
  const rows = (await load?.('parts', { from: prefix, before: `${prefix.slice(0, -1)}0` })) ?? []; // 0 follows the slash
  // The name of a role may start with another name and a slash.
  return rows.flatMap(({ key, value }) => {
    const own = key.slice(prefix.length);
    return own.includes('/') ? [] : [{ key: decodeName(own), value }];
  });
}

/** @throws RoleZeroError `invalid` for a name that is not unique or has other characters than letters, digits, - and _. */
export function checkParts(role: string, parts: readonly AgentPart[]): void {
  const names = parts.map(({ name }) => name);
  const wrong = names.find((name, at) => !/^[\w-]+$/.test(name) || names.indexOf(name) < at);
  if (wrong === undefined) return;
  const reason =
    names.filter((name) => name === wrong).length > 1
      ? 'another part has it'
      : 'use letters, digits, - and _';
  throw new RoleZeroError('invalid', `A part of the role ${role} cannot be named "${wrong}": ${reason}.`, {
    role,
    part: wrong,
  });
}

function prefixOf(role: string, part: string): string {
  return `${role}/${part}/`;
}
