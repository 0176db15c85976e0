import { describe, RoleZeroError } from '../core/error.js';
import type { UndoResult } from '../core/files.js';
import type { Write } from '../core/store.js';
import { Content } from './content.js';
import { byCodeUnits, type Entry } from './file-tree.js';
import { sameVersion, versionOf, type FileHistory, type HistoryRecord, type PathChange } from './history.js';
import { mergeBack } from './merge-back.js';
import type { StagedFiles } from './staged-files.js';

/** The state that a path should have. */
export type State = Pick<Entry, 'type' | 'content' | 'untrusted'> | null;
/** The reason why a path cannot be restored. */
type Conflict = { why: string };

/** An undo that is ready to be stored and applied. */
export interface Undo {
  writes: Write[];
  result: UndoResult;
}

/**
 * Undoes, in a stage, what some entries of the history changed (see `SessionFiles.undo`). A path that is still as they left it gets its
 * earlier state. In a file that others have changed since, the lines of the others remain.
 *
 * @throws RoleZeroError `not-found`, `conflict`; discard the stage then.
 */
export async function undo(
  stage: StagedFiles,
  history: FileHistory,
  id: string,
  { partly = false }: { partly?: boolean } = {},
): Promise<Undo> {
  const records = history.find(id);
  if (records.length === 0) throw nothingToUndo(id, history);
  const wanted = new Map<string, State>();
  const conflicts = new Map<string, string>();
  for (const path of pathsOf(records)) {
    const state = await stateBefore(path, records, stage.entry(path), history);
    if (state !== null && 'why' in state) conflicts.set(path, state.why);
    else if (!sameVersion(versionOf(state), versionOf(stage.entry(path)))) wanted.set(path, state);
  }
  await put(wanted, stage, conflicts);
  const listed = listConflicts(conflicts);
  if (listed.length > 0 && !partly) throw conflict(id, listed);
  const numbers = records.map(({ number }) => number);
  const paths = stage.effects().map(({ path }) => path);
  const marks = listed.length > 0 ? [] : history.mark(numbers, true);
  const writes = stage.changes({ by: 'user', name: 'undo' }, { undoes: listed.length > 0 ? [] : numbers });
  const made = writes.length === 0 ? undefined : history.entries().at(-1)?.id;
  return { writes: [...writes, ...marks], result: { id: made ?? '', paths, conflicts: listed } };
}

/** Returns the state of a path before the changes that some entries, newest first, made to it. */
async function stateBefore(
  path: string,
  records: readonly HistoryRecord[],
  now: State | undefined,
  history: FileHistory,
): Promise<State | Conflict> {
  let state = now ?? null;
  for (const record of records) {
    const change = record.changes.find((each) => each.path === path);
    if (change === undefined) continue;
    if (sameVersion(versionOf(state), change.before)) continue; // someone has undone it already
    const before = await earlier(record, change, history);
    if (before !== null && 'why' in before) return before;
    const here = versionOf(state);
    if (
      sameVersion(here, change.after) ||
      (change.after?.type === 'directory' && here?.type === 'directory')
    ) {
      state = before;
      continue;
    }
    const merged = await merge(before, change, state, history);
    if ('why' in merged) return merged;
    state = merged;
  }
  return state;
}

async function earlier(
  record: HistoryRecord,
  change: PathChange,
  history: FileHistory,
): Promise<State | Conflict> {
  const previous = history.previous(change.path, record.number);
  // With two concurrent writers, the state that this one replaced is not the state it saw.
  if (previous !== undefined && !sameVersion(previous.after, change.before))
    return { why: 'it was changed at the same time' };
  if (change.before === null) return null;
  if (change.before.type === 'directory') return { type: 'directory', content: new Content('') };
  const content = record.lost ? null : await history.content(change.before);
  if (content !== null) return { type: 'file', content, untrusted: change.before.untrusted };
  const why = record.lost
    ? 'too much was changed at once to be stored'
    : 'its earlier content is no longer stored';
  return { why: `${why} (limits.historyBytes)` };
}

/** Returns a file without one change after others have changed it. */
async function merge(
  before: State,
  { after }: PathChange,
  now: State,
  history: FileHistory,
): Promise<NonNullable<State> | Conflict> {
  if (now === null) return { why: 'it was removed since then' };
  if (after === null) return { why: 'something else was put there since then' };
  if (before === null) return { why: 'it was changed since then, and undoing would remove it' };
  if (before.type !== 'file' || now.type !== 'file' || after.type !== 'file')
    return { why: 'it was replaced since then' };
  const left = await history.content(after);
  if (left === null)
    return { why: 'it was changed since then, and its content before that is no longer stored' };
  const [earlier, current] = await Promise.all([before.content.load(), now.content.load()]);
  if (![earlier, left, current].every((content) => content.isText()))
    return { why: 'it was changed since then, and is not text' };
  const merged = mergeBack(earlier.text(), left.text(), current.text());
  if (merged === null) return { why: 'the same lines were changed since then' };
  const untrusted = [...new Set([...(before.untrusted ?? []), ...(now.untrusted ?? [])])];
  return { type: 'file', content: new Content(merged), untrusted };
}

/** Gives the paths their wanted states. Those that cannot get it become conflicts. */
export async function put(
  wanted: ReadonlyMap<string, State>,
  stage: StagedFiles,
  conflicts: Map<string, string>,
): Promise<void> {
  const sorted = [...wanted].sort(([a], [b]) => byCodeUnits(a, b));
  const attempt = async (path: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      conflicts.set(path, describe(error));
    }
  };
  for (const [path, state] of sorted.toReversed()) {
    const here = stage.entry(path);
    if (here === undefined || here.type === state?.type) continue;
    const isFull = here.type === 'directory' && [...stage.childrenOf(path)].length > 0;
    if (!isFull) await attempt(path, () => stage.remove(path));
    else if (state !== null) conflicts.set(path, 'it is a directory now, with something in it');
    // A directory that is no longer wanted remains when others have put something into it.
  }
  for (const [path, state] of sorted) {
    if (state === null || conflicts.has(path)) continue;
    stage.mark(state.untrusted ?? [], 'user');
    if (state.type === 'directory') await attempt(path, () => stage.makeDirectory(path));
    else await attempt(path, async () => stage.write(path, (await state.content.load()).stored));
  }
}

function pathsOf(records: readonly HistoryRecord[]): Set<string> {
  return new Set(records.flatMap(({ changes }) => changes.map(({ path }) => path)));
}

function nothingToUndo(id: string, history: FileHistory): RoleZeroError {
  const known = history.entries().filter((entry) => entry.id === id || entry.id.startsWith(`${id}.`));
  const why = known.length > 0 ? 'was already undone' : 'changed no files, or is too old';
  return new RoleZeroError(
    'not-found',
    `There is nothing to undo: ${JSON.stringify(id)} ${why}. See files.history().`,
    {
      id,
    },
  );
}

/** Returns conflicts as results have them, sorted by path. */
export function listConflicts(conflicts: ReadonlyMap<string, string>): UndoResult['conflicts'] {
  return [...conflicts]
    .map(([path, why]) => ({ path, why }))
    .sort((one, other) => byCodeUnits(one.path, other.path));
}

/** Names the first conflicts in an error. */
export function describeConflicts(conflicts: UndoResult['conflicts']): string {
  const named = conflicts.slice(0, 5).map(({ path, why }) => `${path}: ${why}`);
  const more = conflicts.length > 5 ? `; and ${conflicts.length - 5} more` : '';
  return `${named.join('; ')}${more}`;
}

function conflict(id: string, conflicts: UndoResult['conflicts']): RoleZeroError {
  return new RoleZeroError(
    'conflict',
    `Nothing was undone, because it would also revert other changes (${describeConflicts(conflicts)}). ` +
      'Change these files by hand, or undo with { partly: true } to leave them as they are.',
    { id, conflicts },
  );
}
