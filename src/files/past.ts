import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { FileAfter, FileDifference, FileInfo } from '../core/files.js';
import type { Content, FileContent } from './content.js';
import { byCodeUnits } from './file-tree.js';
import type { FileHistory, HistoryRecord, Version } from './history.js';
import { resolvePath } from './path.js';
import type { VirtualFiles } from './virtual-files.js';

/**
 * Returns the files as the newest entry named by an id left them, and the files that these entries removed; see `SessionFiles`. Reads no
 * contents.
 *
 * @throws RoleZeroError `not-found` when there is no such entry.
 */
export async function filesAfter(files: VirtualFiles, id: string): Promise<FileAfter[]> {
  const records = recordsOf(files.history, id);
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
 * Returns one of these files before and after the entries; see `SessionFiles`.
 *
 * @throws RoleZeroError `not-found` when there is no such entry, the file did not exist at either moment, or a content is not stored.
 */
export async function difference(files: VirtualFiles, id: string, path: string): Promise<FileDifference> {
  const { history } = files;
  const records = recordsOf(history, id);
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
  const textOf = async (state: State | null): Promise<string | null> => {
    if (state?.type !== 'file') return null;
    const content = await contentOf(history, state);
    if (content === null) throw notStored(id, place);
    return content.isText() ? content.text() : null;
  };
  return { path: place, before: await textOf(before), after: await textOf(after) };
}

/**
 * Returns the bytes of one of these files after the entries, text or not; see `SessionFiles`.
 *
 * @throws RoleZeroError `not-found` when there is no such entry, the file did not exist then, or its content is not stored.
 */
export async function bytesAfter(files: VirtualFiles, id: string, path: string): Promise<Uint8Array> {
  const place = resolvePath(path);
  const after = stateAfter(files, recordsOf(files.history, id), place);
  if (after?.type !== 'file')
    throw new RoleZeroError('not-found', `There was no file ${place} after ${id}.`, { id, path: place });
  const content = await contentOf(files.history, after);
  if (content === null) throw notStored(id, place);
  return content.bytes().slice();
}

/** The state of a path: the current one, or one from the history. */
type State = Version | { content: FileContent; type: string };

function stateAfter(files: VirtualFiles, records: readonly HistoryRecord[], place: string): State | null {
  const later = files.history.since(records.at(-1)?.number ?? 0).get(place);
  return later === undefined ? (files.entry(place) ?? null) : later.before;
}

/** Returns null when the content is not stored. */
async function contentOf(history: FileHistory, state: State): Promise<Content | null> {
  return 'content' in state ? state.content.load() : history.content(state);
}

/** Returns the entries oldest first, including undone ones. */
function recordsOf(history: FileHistory, id: string): HistoryRecord[] {
  const records = history.named(id);
  if (records.length > 0) return records;
  throw new RoleZeroError(
    'not-found',
    `Unknown file change ${JSON.stringify(id)}: it changed no files, or is too old. See files.history().`,
    { id },
  );
}

function notStored(id: string, path: string): RoleZeroError {
  return new RoleZeroError(
    'not-found',
    `What ${path} held then is no longer stored: too much was changed at once, or since then (limits.historyBytes).`,
    { id, path },
  );
}
