/** Number of lines around a changed part that must be unchanged. */
const CONTEXT = 3;

/**
 * Removes a change from a text that others have changed since. The changed part must occur exactly once, with the lines around it. Returns
 * null when it does not occur, or occurs at several places.
 *
 * @param before and `after` the text around the change, `current` the text now
 */
export function mergeBack(before: string, after: string, current: string): string | null {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  start = lineStart(after, start);
  let end = 0;
  while (end < most - start && lastCode(before, end) === lastCode(after, end)) end += 1;
  if (!beginsLine(after, after.length - end) || !beginsLine(before, before.length - end))
    end = after.length - lineEnd(after, after.length - end);

  let first = start;
  for (let i = 0; i < CONTEXT && first > 0; i += 1) first = lineStart(after, first - 1);
  let last = after.length - end;
  for (let i = 0; i < CONTEXT && last < after.length; i += 1) last = lineEnd(after, last);
  const known = after.slice(first, last);
  const at = onlyPlace(current, known);
  if (at === null) return null;
  const changed = before.slice(start, before.length - end);
  return current.slice(0, at + start - first) + changed + current.slice(at + after.length - end - first);
}

/** Returns the position of whole lines in a text; null when they do not occur, or occur at several places. */
function onlyPlace(text: string, lines: string): number | null {
  if (lines === '') return null;
  let found: number | null = null;
  for (let at = text.indexOf(lines); at !== -1; at = text.indexOf(lines, at + 1)) {
    const end = at + lines.length;
    const whole = beginsLine(text, at) && (lines.endsWith('\n') || end === text.length);
    if (!whole) continue;
    if (found !== null) return null;
    found = at;
  }
  return found;
}

function lastCode(text: string, index: number): number {
  return text.charCodeAt(text.length - 1 - index);
}

function beginsLine(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === '\n';
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at + 1;
}
