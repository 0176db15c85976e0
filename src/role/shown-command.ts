import type { FileDifference } from '../base/files.js';
import type { JsonValue } from '../base/json.js';

/**
 * What a person is asked to allow, as plain text: every argument and what changes in files, nothing left out. Characters that would change how
 * the rest reads (directions, joiners, invisible letters, terminal escapes) are written out as `\u{202e}`.
 */
export function shownCommand(
  args: Readonly<Record<string, JsonValue>>,
  { origin, changes }: { origin: string | null; changes: readonly FileDifference[] },
): string {
  return [
    ...(origin === null ? [] : [`It reaches ${visible(origin)}.`]),
    ...Object.entries(args).map(
      ([name, value]) =>
        `${visible(name)}: ${indented(visible(typeof value === 'string' ? value : JSON.stringify(value)))}`,
    ),
    ...changes.map(({ path, before, after }) =>
      before === after
        ? `${visible(path)} is read.`
        : `${visible(path)}\n${visible(difference(before, after))}`,
    ),
  ].join('\n');
}

/** Further lines of a text stand further in, so that none of them can pass for one of ours. */
function indented(text: string): string {
  return text.replaceAll('\n', '\n    ');
}

/** What has no shape of its own, but for the blank, tabs and ends of lines: other blanks look like it and mean something else. */
const UNSEEN = /(?![ \n\t])[\p{Default_Ignorable_Code_Point}\p{C}\p{Z}\u2800]/gu;

/** A text in which every character can be seen. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The lines that go and come, between what stays the same at both ends. */
function difference(before: string | null, after: string | null): string {
  const old = before?.split('\n') ?? [];
  const now = after?.split('\n') ?? [];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  return [
    `@@ line ${head + 1} @@`,
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
  ].join('\n');
}
