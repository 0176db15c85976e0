import { diffArrays } from 'diff';

/** Maximum number of lines that differ; beyond it, everything between the first and the last difference counts as one change. */
const MAX_DIFFERENCES = 1_000;

/** Lines of a text that another text replaces: those from `start` to before `end`. None when they are equal: new lines come before `start`. */
export interface LineChange {
  start: number;
  end: number;
  lines: readonly string[];
}

/** Returns what turns some lines into others, in order. Two changes have a common line between them. */
export function lineChanges(before: readonly string[], after: readonly string[]): LineChange[] {
  const most = Math.min(before.length, after.length);
  let first = 0;
  while (first < most && before[first] === after[first]) first += 1;
  let last = 0;
  while (last < most - first && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  const old = before.slice(first, before.length - last);
  const made = after.slice(first, after.length - last);
  if (old.length === 0 && made.length === 0) return [];
  const whole = [{ start: first, end: first + old.length, lines: made }];
  if (old.length === 0 || made.length === 0) return whole;
  const parts = diffArrays(old, made, { maxEditLength: MAX_DIFFERENCES });
  if (parts === undefined) return whole;
  const changes: LineChange[] = [];
  let at = first;
  let open: { start: number; end: number; lines: string[] } | null = null;
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      at += value.length;
      open = null;
      continue;
    }
    if (open === null) changes.push((open = { start: at, end: at, lines: [] }));
    if (added) for (const line of value) open.lines.push(line);
    else open.end = at += value.length;
  }
  return changes;
}
