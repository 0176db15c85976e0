const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/.source;
/** Role and name: `button 'Save'`. The name directly follows the role; the text of a property follows a colon. */
const NAMED = new RegExp(`^(?:[^'":]+ )?(?:${QUOTED})`);
/** Role of an element without a name, and the hint that its author left. */
const NAMELESS = /^[^\s:]+/;
const HINT = new RegExp(` hint: (?:${QUOTED})`);

/**
 * Returns the role and name of an element as a view shows them: `button 'Save'`. Returns null if the view does not show the element.
 *
 * @param lines lines of a view, indented or not
 */
export function elementIn(lines: readonly string[], id: string): string | null {
  const start = `[${id}] `;
  const line = lines.map((each) => each.trimStart()).find((each) => each.startsWith(start));
  if (line === undefined) return null;
  const rest = line.slice(start.length);
  const [named] = NAMED.exec(rest) ?? [];
  return named ?? `${NAMELESS.exec(rest)?.[0] ?? ''}${HINT.exec(rest)?.[0] ?? ''}`;
}
