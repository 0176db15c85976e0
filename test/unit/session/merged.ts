/** The text of a file; undefined for none. */
export type Text = string | undefined;

/** A place of the base that a version replaces: its lines from `from` to before `to`. */
interface Hunk {
  from: number;
  to: number;
  lines: string[];
}

/** Returns the hunks of a version whose lines are unique and in the order of the base. */
function hunksOf(base: readonly string[], version: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let [from, at] = [0, 0];
  const close = (to: number, end: number): void => {
    if (to > from || end > at) hunks.push({ from, to, lines: version.slice(at, end) });
    [from, at] = [to + 1, end + 1];
  };
  for (const [index, line] of base.entries()) if (version.includes(line)) close(index, version.indexOf(line));
  close(base.length, version.length);
  return hunks;
}

/** Returns whether a reference exists: no line is there twice, which an undo of the undo of a removal may cause. */
export function isClear(...texts: Text[]): boolean {
  return texts.every((text) => {
    const lines = text?.split('\n') ?? [];
    return new Set(lines).size === lines.length;
  });
}

/**
 * Merges two versions of a file as a person would, for files whose lines are unique. Returns null for a conflict. This is the reference for the
 * library, so it shares no code with it.
 */
export function merged(base: Text, now: Text, restored: Text): { text: Text } | null {
  if (now === restored || base === restored) return { text: now };
  if (now === base) return { text: restored };
  if (base === undefined || now === undefined || restored === undefined) return null;
  const lines = base.split('\n');
  const mine = hunksOf(lines, now.split('\n'));
  const theirs = hunksOf(lines, restored.split('\n'));
  const all = [...mine];
  for (const hunk of theirs) {
    const same = mine.find((each) => JSON.stringify(each) === JSON.stringify(hunk));
    if (same !== undefined) continue;
    const clashes = mine.some(
      ({ from, to }) =>
        (from < hunk.to && hunk.from < to) || (from === to && hunk.from === hunk.to && from === hunk.from),
    );
    if (clashes) return null;
    all.push(hunk);
  }
  all.sort((one, other) => one.from - other.from || one.to - other.to);
  let at = 0;
  const result: string[] = [];
  for (const { from, to, lines: made } of all) {
    result.push(...lines.slice(at, from), ...made);
    at = to;
  }
  return { text: [...result, ...lines.slice(at)].join('\n') };
}
