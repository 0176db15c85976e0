import * as z from 'zod/mini';
import { fingerprint } from '../../base/fingerprint.js';
import type { JsonValue } from '../../base/json.js';

/** An edit remembers at most this many characters, and all of them together; the oldest go first. They are written with every commit. */
export const MAX_EDIT = 32_000;
export const MAX_HISTORY = 64_000;
const MAX_EDITS = 50;

/** What an edit counts for besides the text it keeps. */
const EDIT_COST = 200;
/** Lines around an edited part that are compared with it, so that it is not mistaken for another one that reads the same. */
const CONTEXT = 3;

const kept = z.object({
  path: z.string(),
  /** What stood in the edited part before; null when there was no file. */
  before: z.nullable(z.string()),
  /** Characters before the edited part, in it, and after it, once it was edited. */
  start: z.number(),
  length: z.number(),
  end: z.number(),
  /** Of the edited part and the lines around it. */
  print: z.string(),
});
/** An edit that was too large to be kept, or of what is no text. */
const lost = z.object({ path: z.string(), lost: z.literal(true) });
const history = z.catch(z.array(z.union([kept, lost])), []);

export type KeptEdit = z.infer<typeof kept>;
export type PastEdit = KeptEdit | z.infer<typeof lost>;

/** The edits of a session that can be undone, oldest first. */
export function pastEdits(state: Record<string, JsonValue>): PastEdit[] {
  return history.parse(state['edits'] ?? []);
}

export function keepEdits(state: Record<string, JsonValue>, edits: readonly PastEdit[]): void {
  state['edits'] = [...edits];
}

/**
 * Remembers how to undo an edit. One that cannot be remembered takes those before it in the same file along: they could only be undone
 * after it.
 *
 * @param before null when there was no file, undefined when what was there cannot be given.
 */
export function recordEdit(
  state: Record<string, JsonValue>,
  path: string,
  before: string | null | undefined,
  after: string,
): void {
  if (before === after) return;
  let edits = pastEdits(state);
  const edit = before === undefined ? null : reversal(path, before, after);
  if (edit === null || costOf(edit) > MAX_EDIT) {
    edits = [...edits.filter((each) => each.path !== path), { path, lost: true }];
  } else {
    edits.push(edit);
  }
  let total = edits.reduce((sum, each) => sum + costOf(each), 0);
  while (total > MAX_HISTORY || edits.length > MAX_EDITS) {
    const oldest = edits.shift();
    if (oldest === undefined) break;
    total -= costOf(oldest);
  }
  keepEdits(state, edits);
}

/** The text before an edit, and where it differs; the text is null when there was no file. */
export interface Undone {
  text: string | null;
  at: number;
}

/**
 * A text without an edit. What others have changed since then is kept as long as it is all before the edited part or all after it, and not
 * next to it; null when it is not.
 */
export function withoutEdit(text: string, edit: KeptEdit): Undone | null {
  const { before, length, print } = edit;
  for (const start of [edit.start, text.length - edit.end - length]) {
    const end = start + length;
    if (start < 0 || end > text.length || printOf(text, start, end) !== print) continue;
    if (before === null) return { text: null, at: 0 };
    return { text: text.slice(0, start) + before + text.slice(end), at: start };
  }
  return null;
}

/** What two texts do not share, in whole lines, and how to put it back. */
function reversal(path: string, before: string | null, after: string): KeptEdit {
  const old = before ?? '';
  const most = before === null ? 0 : Math.min(old.length, after.length);
  let start = 0;
  while (start < most && old.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  start = lineStart(after, start);
  let end = 0;
  while (end < most - start && lastCode(old, end) === lastCode(after, end)) end += 1;
  const lineBreak = after.indexOf('\n', after.length - end);
  end = lineBreak === -1 ? 0 : after.length - lineBreak - 1;
  return {
    path,
    before: before === null ? null : old.slice(start, old.length - end),
    start,
    length: after.length - end - start,
    end,
    print: printOf(after, start, after.length - end),
  };
}

function printOf(text: string, start: number, end: number): string {
  let first = start;
  let last = end;
  for (let i = 0; i < CONTEXT && first > 0; i += 1) first = lineStart(text, first - 1);
  for (let i = 0; i < CONTEXT && last < text.length; i += 1) {
    const lineBreak = text.indexOf('\n', last);
    last = lineBreak === -1 ? text.length : lineBreak + 1;
  }
  return fingerprint(text.slice(first, last), `${start - first} ${last - end}`);
}

function lastCode(text: string, index: number): number {
  return text.charCodeAt(text.length - 1 - index);
}

/** Where the line that holds a place begins. */
function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function costOf(edit: PastEdit): number {
  return EDIT_COST + ('lost' in edit ? 0 : (edit.before?.length ?? 0));
}
