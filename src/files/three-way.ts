import { diffArrays } from 'diff';
import type { ConflictPlace } from '../core/files.js';

/** The three versions of a text: two were made from the first. */
interface TextVersions {
  base: string;
  now: string;
  restored: string;
}

/** Lines of the base that both versions changed, or only one of them. */
interface Region {
  start: number;
  end: number;
  now: LineChange[];
  restored: LineChange[];
}

/** Two texts as one, and where they contradict each other. These places are marked, as version control marks them. */
interface Merged {
  text: string;
  places: ConflictPlace[];
}

/** Merges two texts that were made from one, line by line. Changes of neighboring lines do not contradict each other. */
export function mergeTexts(texts: TextVersions): Merged {
  const base = texts.base.split('\n');
  const regions = regionsOf(
    lineChanges(base, texts.now.split('\n')),
    lineChanges(base, texts.restored.split('\n')),
  );
  const lines: string[] = [];
  const places: ConflictPlace[] = [];
  let at = 0;
  let shift = 0; // from a line of the base to the same line of `now`
  for (const { start, end, now, restored } of regions) {
    appendAll(lines, base.slice(at, start));
    at = end;
    const here = linesOf(base, start, end, now);
    const there = linesOf(base, start, end, restored);
    if (now.length > 0 && restored.length > 0 && !isSameLines(here, there)) {
      places.push({ line: start + shift + 1, now: here, base: base.slice(start, end), restored: there });
      appendAll(lines, [CONFLICT_MARKS[0], ...here, CONFLICT_MARKS[1], ...there, CONFLICT_MARKS[2]]);
    } else appendAll(lines, now.length > 0 ? here : there);
    shift += here.length - (end - start);
  }
  appendAll(lines, base.slice(at));
  return { text: lines.join('\n'), places };
}

const CONFLICT_MARKS = ['<<<<<<< now', '=======', '>>>>>>> restored'] as const;

/** Returns the changed regions in order. Changes of the same lines, or new lines at the same place, are one region. */
function regionsOf(now: readonly LineChange[], restored: readonly LineChange[]): Region[] {
  const all = [
    ...now.map((change) => ({ change, side: 'now' as const })),
    ...restored.map((change) => ({ change, side: 'restored' as const })),
  ].sort((one, other) => one.change.start - other.change.start || one.change.end - other.change.end);
  const regions: Region[] = [];
  for (const { change, side } of all) {
    const { start, end } = change;
    const last = regions.at(-1);
    const isSamePlace = last?.start === start && last.end === end;
    if (last === undefined || (start >= last.end && !isSamePlace))
      regions.push({ start, end, now: [], restored: [], [side]: [change] });
    else {
      last.end = Math.max(last.end, end);
      last[side].push(change);
    }
  }
  return regions;
}

/** Returns the lines that some changes make of a region. */
function linesOf(
  base: readonly string[],
  from: number,
  to: number,
  changes: readonly LineChange[],
): string[] {
  const lines: string[] = [];
  let at = from;
  for (const { start, end, lines: made } of changes) {
    appendAll(lines, base.slice(at, start));
    appendAll(lines, made);
    at = end;
  }
  appendAll(lines, base.slice(at, to));
  return lines;
}

/** Appends items; a spread would exceed the stack for very many. */
function appendAll<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}

function isSameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

/** Maximum number of lines that differ; beyond it, everything between the first and the last difference counts as one change. */
const MAX_DIFFERENCES = 1_000;

/** Lines of a text that another text replaces: those from `start` to before `end`. None when they are equal: new lines come before `start`. */
interface LineChange {
  start: number;
  end: number;
  lines: readonly string[];
}

/** Returns what turns some lines into others, in order. Two changes have a common line between them. */
function lineChanges(before: readonly string[], after: readonly string[]): LineChange[] {
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
