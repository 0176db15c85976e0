/** Role and name, `button 'Save'`, or else role and hint, icon or picture. The text of another property follows a colon and is not matched. */
const ROLE_AND_NAME =
  /^(?:[^'":]+ )?(?:(?:hint|icon|picture): )?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|^[^\s:]+/;

/**
 * Returns the roles and names of the elements that an action names, or `unseen` for one that the view does not show. Empty without ids.
 */
export function targetIn(lines: readonly string[], ids: readonly unknown[], unseen: string): string {
  return ids
    .filter((id) => typeof id === 'string')
    .map((id) => elementIn(lines, id) ?? unseen)
    .join(' to ');
}

/**
 * Returns the role and name of an element as a view shows them: `button 'Save'`. Returns null if the view does not show the element.
 *
 * @param lines lines of a view, indented or not
 */
export function elementIn(lines: readonly string[], id: string): string | null {
  const start = `[${id}] `;
  const line = lines.map((each) => each.trimStart()).find((each) => each.startsWith(start));
  if (line === undefined) return null;
  return ROLE_AND_NAME.exec(line.slice(start.length))?.[0] ?? '';
}
