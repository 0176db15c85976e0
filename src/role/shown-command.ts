import type { FileDifference } from '../base/files.js';
import type { JsonValue } from '../base/json.js';
import { headAndTail } from './conversation.js';

/** Characters of one argument or difference that a person is shown. */
const MAX_SHOWN = 4_000;

/**
 * What a person is asked to allow, as plain text: every argument, none hidden, and what changes in files. Characters that would change how
 * the rest reads (directions, joiners, invisible letters, terminal escapes) are written out as `\u{202e}`.
 */
export function shownCommand(
  args: Readonly<Record<string, JsonValue>>,
  { origin, changes }: { origin: string | null; changes: readonly FileDifference[] },
): string {
  const shown = (text: string): string => headAndTail(visible(text), MAX_SHOWN);
  return [
    ...(origin === null ? [] : [`It reaches ${visible(origin)}.`]),
    ...Object.entries(args).map(
      ([name, value]) =>
        `${visible(name)}: ${shown(typeof value === 'string' ? value : JSON.stringify(value))}`,
    ),
    ...changes.map(({ path, before, after }) => `${visible(path)}\n${shown(difference(before, after))}`),
  ].join('\n');
}

const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

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
