/** One line of a file as it is now; `fresh` when it was not there before. `gap`: lines before it are gone. */
export interface ShownLine {
  text: string;
  fresh: boolean;
  gap: boolean;
}

/** Above this many comparisons the middle of a file counts as rewritten. */
const MAX_COMPARISONS = 1_000_000;

/** The lines of a text, marked against what it was before; nothing is marked when there was nothing before. */
export function lineChanges(before: string | null, now: string): ShownLine[] {
  const lines = linesOf(now);
  if (before === null) return lines.map((text) => ({ text, fresh: false, gap: false }));
  const old = linesOf(before);
  let head = 0;
  while (head < old.length && head < lines.length && old[head] === lines[head]) head += 1;
  let tail = 0;
  const shortest = Math.min(old.length, lines.length) - head;
  while (tail < shortest && old.at(-1 - tail) === lines.at(-1 - tail)) tail += 1;
  const kept = keptLines(old.slice(head, old.length - tail), lines.slice(head, lines.length - tail));
  let expected = 0; // the old line that would follow if nothing had been removed
  let replaced = false; // what is gone has something new in its place
  return lines.map((text, index) => {
    const inTail = index >= lines.length - tail;
    const origin =
      index < head
        ? index
        : inTail
          ? old.length - (lines.length - index)
          : (kept.get(index - head) ?? -1 - head) + head;
    const fresh = origin < 0;
    const gap = !fresh && origin > expected && !replaced;
    replaced = fresh;
    if (!fresh) expected = origin + 1;
    return { text, fresh, gap };
  });
}

/** Which line of `now` is which of `old`, by the longest common subsequence. */
function keptLines(old: readonly string[], now: readonly string[]): Map<number, number> {
  const kept = new Map<number, number>();
  if (old.length * now.length > MAX_COMPARISONS) return kept;
  const width = now.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      longest[i * width + j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  for (let i = 0, j = 0; i < old.length && j < now.length;) {
    if (old[i] === now[j]) kept.set(j++, i++);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return kept;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop(); // a final line break ends the last line and begins no other
  return lines;
}
