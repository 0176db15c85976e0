import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { FileAfter, FileDifference, FileInfo, DiffPart, FileDiff } from '../core/files.js';
import type { Content, FileContent } from './content.js';
import { byCodeUnits } from './file-tree.js';
import {
  type FileHistory,
  type HistoryRecord,
  type PathChange,
  type Version,
  sameVersion,
  versionOf,
} from './history.js';
import { resolvePath } from './path.js';
import type { VirtualFiles } from './virtual-files.js';
import { structuredPatch } from 'diff';

/**
 * Returns the files as the newest of some changes left them, and the files that these changes removed; see `SessionFiles`. Reads no
 * contents.
 */
export async function filesAfter(
  files: VirtualFiles,
  records: readonly HistoryRecord[],
): Promise<FileAfter[]> {
  const after = new Map<string, FileAfter>();
  const put = ({ path, size, untrusted }: Pick<FileInfo, 'path' | 'size' | 'untrusted'>): void => {
    after.set(path, { path, size, change: null, ...defined({ untrusted }) });
  };
  for (const info of await files.list('/', { recursive: true })) if (info.type === 'file') put(info);
  for (const [path, { before }] of files.history.since(records.at(-1)?.number ?? 0)) {
    if (before?.type === 'file') put({ ...before, path });
    else after.delete(path);
  }
  for (const { path, before, after: left } of records.flatMap(({ changes }) => changes)) {
    const here = after.get(path);
    if (here !== undefined) after.set(path, { ...here, change: 'written' });
    else if ([before, left].some((version) => version?.type === 'file'))
      after.set(path, { path, size: 0, change: 'removed' });
  }
  return [...after.values()].sort((one, other) => byCodeUnits(one.path, other.path));
}

/**
 * Returns one of these files before and after the changes that an id names; see `SessionFiles`.
 *
 * @throws RoleZeroError `not-found` when the file did not exist at either moment, or a content is not stored.
 */
export async function diffFile(
  files: VirtualFiles,
  { id, records }: NamedChanges,
  path: string,
): Promise<FileDifference> {
  const { history } = files;
  const place = resolvePath(path);
  const after = stateAfter(files, records, place);
  const changed = records.find(({ changes }) => changes.some((change) => change.path === place));
  const first = changed?.changes.find((change) => change.path === place);
  const before = first === undefined ? after : first.before;
  if (before?.type !== 'file' && after?.type !== 'file')
    throw new RoleZeroError('not-found', `There was no file ${place} before or after ${id}.`, {
      id,
      path: place,
    });
  const textOf = async (state: PastState | null): Promise<string | null> => {
    if (state?.type !== 'file') return null;
    const content = await loadContent(history, state);
    if (content === null) throw notStored(id, place);
    return content.shownText();
  };
  return { path: place, before: await textOf(before), after: await textOf(after) };
}

/**
 * Returns the bytes of one of these files after the changes, text or not; see `SessionFiles`.
 *
 * @throws RoleZeroError `not-found` when the file did not exist then, or its content is not stored.
 */
export async function bytesAfter(
  files: VirtualFiles,
  { id, records }: NamedChanges,
  path: string,
): Promise<Uint8Array> {
  const place = resolvePath(path);
  const after = stateAfter(files, records, place);
  if (after?.type !== 'file')
    throw new RoleZeroError('not-found', `There was no file ${place} after ${id}.`, { id, path: place });
  const content = await loadContent(files.history, after);
  if (content === null) throw notStored(id, place);
  return content.bytes().slice();
}

/** Changes, oldest first, and the id that names them. */
interface NamedChanges {
  id: string;
  records: readonly HistoryRecord[];
}

/** The state of a path: the current one, or one from the history. */
type PastState = Version | { content: FileContent; type: string };

function stateAfter(files: VirtualFiles, records: readonly HistoryRecord[], place: string): PastState | null {
  return stateAt(files, files.history.since(records.at(-1)?.number ?? 0), place);
}

/** Returns the state of a path at a moment: before the first of these later changes. */
function stateAt(
  files: VirtualFiles,
  later: ReadonlyMap<string, PathChange>,
  path: string,
): PastState | null {
  const change = later.get(path);
  return change === undefined ? (files.entry(path) ?? null) : change.before;
}

/** Returns null when the content is not stored. */
async function loadContent(history: FileHistory, state: PastState): Promise<Content | null> {
  return 'content' in state ? state.content.load() : history.content(state);
}

function notStored(id: string, path: string): RoleZeroError {
  return new RoleZeroError(
    'not-found',
    `What ${path} held then is no longer stored: too much was changed at once, or since then (limits.historyBytes).`,
    { id, path },
  );
}

/** Maximum number of changed lines, and length of a text, of which the lines are compared. */
const MAX_CHANGED_LINES = 1_000;
const MAX_COMPARED_TEXT = 2_000_000;

/** Number of unchanged lines around a changed part. */
const CONTEXT = 3;

/** Compares the files after two changes of the history, which are given by their numbers. */
export async function compareFiles(files: VirtualFiles, from: number, to: number): Promise<FileDiff[]> {
  const { history } = files;
  const [old, made] = [history.since(from), history.since(to)];
  const paths = [...new Set([...old.keys(), ...made.keys()])].sort(byCodeUnits);
  const diffs: FileDiff[] = [];
  for (const path of paths) {
    const before = fileOnly(stateAt(files, old, path));
    const after = fileOnly(stateAt(files, made, path));
    if (before === null && after === null) continue;
    if (sameVersion(before && versionIn(before), after && versionIn(after))) continue;
    const change = before === null ? 'created' : after === null ? 'removed' : 'changed';
    const [one, other] = await Promise.all([textForDiff(files, before), textForDiff(files, after)]);
    const parts = one === null || other === null ? null : diffParts(one, other);
    diffs.push({ path, change, added: countMarked(parts, '+'), removed: countMarked(parts, '-'), parts });
  }
  return diffs;
}

function fileOnly(state: PastState | null): PastState | null {
  return state?.type === 'file' ? state : null;
}

function versionIn(state: PastState): ReturnType<typeof versionOf> {
  return 'content' in state ? versionOf({ ...state, type: 'file' }) : state;
}

/** Returns the text of a file, empty for a missing one; null for one whose lines cannot be compared. */
async function textForDiff({ history }: VirtualFiles, state: PastState | null): Promise<string | null> {
  if (state === null) return '';
  if (('content' in state ? state.content.size : state.size) > MAX_COMPARED_TEXT) return null;
  return (await loadContent(history, state))?.shownText() ?? null;
}

function diffParts(before: string, after: string): DiffPart[] | null {
  const patch = structuredPatch('', '', before, after, '', '', {
    context: CONTEXT,
    maxEditLength: MAX_CHANGED_LINES,
  });
  return (
    patch?.hunks.map(({ oldStart, newStart, lines }) => ({
      before: oldStart,
      after: newStart,
      lines: lines.filter((line) => !line.startsWith('\\')), // a remark about the end of the file
    })) ?? null
  );
}

function countMarked(parts: readonly DiffPart[] | null, sign: '+' | '-'): number {
  return (parts ?? []).flatMap(({ lines }) => lines).filter((line) => line.startsWith(sign)).length;
}
