/** Which files a role knows: those whose present content it has written, or has seen whole in the result of a command. */
import type { StagedFiles } from '../../core/files.js';
import { fingerprint } from '../../core/fingerprint.js';
import type { JsonValue } from '../../core/json.js';

/** A fingerprint of the content that was seen last, by path. */
export type SeenFiles = Record<string, string>;

/** What a command changes about it; null for a file that no longer exists. */
export type SeenChanges = Record<string, string | null>;

/** Maximum number of files that are stored, and of those that one command is examined for. The oldest are dropped first. */
const MAX_SEEN = 100;
/** Maximum characters of a file that are compared. */
const MAX_TEXT = 1_000_000;

/** What a command did. */
interface Executed {
  files: StagedFiles;
  ok: boolean;
  args: Record<string, JsonValue>;
  output: string;
  /** Paths that it was not allowed to replace yet. */
  warned: readonly string[];
}

/** Returns whether a role knows the present content of a file, or nothing is lost when it is replaced. */
export function knowsFile(files: StagedFiles, seen: SeenFiles, path: string): boolean {
  const { before } = contents(files, path);
  return before === null || before.trim() === '' || isSeen(seen, path, before);
}

/** Returns what a role has seen through a command. A file that it was warned of counts as seen: the same command then replaces it. */
export function seenBy({ files, ok, args, output, warned }: Executed, seen: SeenFiles): SeenChanges {
  const changes: SeenChanges = {};
  for (const path of warned) changes[path] = printOf(contents(files, path).before ?? '');
  if (!ok) return changes;
  const { read, changed } = files.touched();
  const texts = Object.values(args).filter((value) => typeof value === 'string');
  const shown = [output, ...texts].join('\n');
  for (const path of [...new Set([...changed, ...read])].slice(0, MAX_SEEN)) {
    const { before, after } = contents(files, path);
    const isOwn = changed.includes(path) && (before === null || isSeen(seen, path, before));
    if (after === null) changes[path] = null;
    else if (isOwn || isShown(after, shown)) changes[path] = printOf(after);
  }
  return changes;
}

/** Returns the seen files after such changes, the newest last. */
export function withSeen(seen: SeenFiles, changes: SeenChanges): SeenFiles {
  const files = new Map(Object.entries(seen));
  for (const [path, print] of Object.entries(changes)) {
    files.delete(path);
    if (print !== null) files.set(path, print);
  }
  return Object.fromEntries([...files].slice(-MAX_SEEN));
}

/** Returns the content of a file before a command and after it; null where it does not exist. */
function contents(files: StagedFiles, path: string): { before: string | null; after: string | null } {
  const [difference] = files.differences([path], (bytes) => `${bytes.length} bytes`);
  return difference ?? { before: null, after: null };
}

function isSeen(seen: SeenFiles, path: string, content: string): boolean {
  return Object.hasOwn(seen, path) && seen[path] === printOf(content);
}

function printOf(content: string): string {
  return fingerprint(content.slice(0, MAX_TEXT), String(content.length));
}

/** Returns whether a text shows a whole file: its first and its last line are in it. A file that is longer than the text is not. */
function isShown(content: string, text: string): boolean {
  const lines = content.trim().split('\n');
  if (content.trim().length > text.length) return false;
  return [lines[0], lines.at(-1)].every((line = '') => text.includes(line.trim()));
}
