/**
 * Which files a role knows: those that it has changed last itself, which their history shows, and those whose present content it has seen whole
 * in the result of a command.
 */
import type { ReplacementLoss, StagedFiles, Touched } from '../../core/files.js';
import { fingerprint } from '../../core/fingerprint.js';
import type { JsonValue } from '../../core/json.js';
import type { Agent } from '../runtime/agent.js';

/** A fingerprint of the content that was seen last, by path. */
export type SeenFiles = Record<string, string>;

/** Maximum number of stored files, because they are written with every step; the oldest are dropped first. */
const MAX_SEEN = 30;
/** Maximum number of files that one command is examined for. */
const MAX_READ = 100;
/** Maximum characters of a file that are compared. */
const MAX_TEXT = 1_000_000;

/** A command that replaces a file. */
interface Replacing {
  callId: string;
  name: string;
}

/** What a command did. */
interface Executed {
  files: StagedFiles;
  touched: Touched;
  ok: boolean;
  args: Record<string, JsonValue>;
  output: string;
  /** Paths that it was not allowed to replace yet. */
  warned: readonly string[];
}

/** Returns what a command would lose of a file that it replaces; null for nothing, and for content that the role knows. */
export async function lossAt(
  { state, context, settings, name: role }: Agent,
  files: StagedFiles,
  path: string,
  { callId, name }: Replacing,
): Promise<ReplacementLoss | null> {
  const last = context.workspace.lastOriginOf(path);
  const isOwn = last?.role === role;
  // Small models write a file in parts, each over the other; others have a reason.
  const isInParts = settings.guidance !== null && last?.name === name;
  const isOfList = isOwn && isInParts && listOf(last.id) === listOf(callId);
  if (isOwn && !isOfList) return null;
  const content = await contentOf(files, path);
  if (content === null || content.trim() === '') return null;
  if (state.seenFiles?.[path] === printOfContent(content)) return null;
  return isOfList ? 'just-written' : 'unseen';
}

/** Returns what the ids of the commands of one list begin with. */
function listOf(callId: string): string {
  return callId.slice(0, callId.lastIndexOf('.'));
}

/**
 * Returns the files that a role knows through a command, and did not know before. A file that it was warned of counts: the same command then
 * replaces it.
 */
export async function seenBy({ files, touched, ok, args, output, warned }: Executed): Promise<SeenFiles> {
  const seen: SeenFiles = {};
  for (const path of warned) seen[path] = printOfContent((await contentOf(files, path)) ?? '');
  const read = (ok ? touched.read : []).slice(0, MAX_READ).filter((path) => !touched.changed.includes(path));
  if (read.length === 0) return seen;
  const texts = Object.values(args).filter((value) => typeof value === 'string');
  const shown = [output, ...texts].join('\n');
  for (const path of read) {
    const content = await contentOf(files, path);
    if (content !== null && isShown(content, shown)) seen[path] = printOfContent(content);
  }
  return seen;
}

/** Returns the known files with others, the newest last. */
export function withSeen(before: SeenFiles, seen: SeenFiles): SeenFiles {
  const rest = Object.entries(before).filter(([path]) => !Object.hasOwn(seen, path));
  return Object.fromEntries([...rest, ...Object.entries(seen)].slice(-MAX_SEEN));
}

/** Returns the content of a file before a command; null for a file that did not exist. */
async function contentOf(files: StagedFiles, path: string): Promise<string | null> {
  const [file] = await files.differences([path], (bytes) => `${bytes.length} bytes`);
  return file?.before ?? null;
}

function printOfContent(content: string): string {
  return fingerprint(content.slice(0, MAX_TEXT), String(content.length)).slice(0, 8);
}

/** Returns whether a text shows a whole file: its first and its last line are in it. A file that is longer than the text is not. */
function isShown(content: string, text: string): boolean {
  const lines = content.trim().split('\n');
  if (content.trim().length > text.length) return false;
  return [lines[0], lines.at(-1)].every((line = '') => text.includes(line.trim()));
}
