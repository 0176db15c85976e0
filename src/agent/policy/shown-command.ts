import type { FileDifference } from '../../core/files.js';
import type { JsonValue } from '../../core/json.js';
import { visible } from '../../core/visible.js';

/** A request that a command was about to send, and the files that it had read until then. */
export interface NeededRequest {
  /** As the tool describes it: `GET https://example.org/`. */
  request: string;
  read: readonly { path: string; text: string }[];
}

/**
 * Returns an approval request as plain text, with every argument and every change of files. Characters that would change how the rest
 * reads (directions, joiners, invisible letters, terminal escapes) are escaped as `\u{202e}`.
 */
export function shownCommand(
  args: Readonly<Record<string, JsonValue>>,
  {
    origin,
    target = null,
    changes,
    needed = null,
  }: {
    origin: string | null;
    target?: string | null;
    changes: readonly FileDifference[];
    needed?: NeededRequest | null;
  },
): string {
  return [
    ...(origin === null ? [] : [`It reaches ${visible(origin)}.`]),
    ...(needed === null
      ? []
      : [
          `Its first request is ${visible(needed.request)}. It may send more, as long as it reads no other files than these.`,
        ]),
    ...(target === null ? [] : [`Target: ${indented(visible(target))}`]),
    ...Object.entries(args).map(
      ([name, value]) =>
        `${visible(name)}: ${indented(visible(typeof value === 'string' ? value : JSON.stringify(value)))}`,
    ),
    ...changes.map(({ path, before, after }) =>
      before === after
        ? `${visible(path)} is read.`
        : `${visible(path)}\n${visible(difference(before, after))}`,
    ),
    ...(needed === null ? [] : filesRead(needed)),
  ].join('\n');
}

/** Shows the files that a command has read, such as the script that it runs, whole: a yes covers all of it. */
function filesRead({ read }: NeededRequest): string[] {
  return read.map(({ path, text }) => `It has read ${visible(path)}: ${indented(visible(text))}`);
}

/** Indents further lines of a text, so that none of them can look like ours. */
function indented(text: string): string {
  return text.replaceAll('\n', '\n    ');
}

/** Returns the removed and added lines between the common beginning and end. */
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
